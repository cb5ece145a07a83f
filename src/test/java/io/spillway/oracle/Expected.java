package io.spillway.oracle;

import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;

/** What a cell of a result must be, and how it must stand in JSON. */
public sealed interface Expected {

    /** Does the cell hold this value, in the form that the interface promises? */
    boolean matches(JsonRow.Cell cell);

    /** Null. */
    record Null() implements Expected {
        @Override
        public boolean matches(JsonRow.Cell cell) {
            return cell.kind() == JsonRow.Kind.NULL;
        }
    }

    /** A truth value, or a number, all of whose digits count: {@code 1.50} is not {@code 1.5}. */
    record Token(JsonRow.Kind kind, String text) implements Expected {
        @Override
        public boolean matches(JsonRow.Cell cell) {
            return cell.kind() == kind && cell.text().equals(text);
        }
    }

    /** A float: any digits that give these bits; what JSON has no number for is a string. */
    record Floating(double value, boolean single) implements Expected {
        @Override
        public boolean matches(JsonRow.Cell cell) {
            if (Double.isNaN(value) || Double.isInfinite(value)) {
                return cell.kind() == JsonRow.Kind.STRING
                        && cell.text().equals(Double.toString(value));
            }
            if (cell.kind() != JsonRow.Kind.NUMBER) {
                return false;
            }
            return single
                    ? Float.floatToIntBits(Float.parseFloat(cell.text()))
                            == Float.floatToIntBits((float) value)
                    : Double.doubleToLongBits(Double.parseDouble(cell.text()))
                            == Double.doubleToLongBits(value);
        }
    }

    /** A float whose last digits nobody promises. */
    record Near(double value) implements Expected {

        private static final double ERROR = 1e-6;

        @Override
        public boolean matches(JsonRow.Cell cell) {
            return cell.kind() == JsonRow.Kind.NUMBER
                    && Math.abs(Double.parseDouble(cell.text()) - value)
                            <= ERROR + ERROR * Math.abs(value);
        }
    }

    /** A list. */
    record Items(List<Expected> items) implements Expected {
        @Override
        public boolean matches(JsonRow.Cell cell) {
            if (cell.kind() != JsonRow.Kind.LIST || cell.items().size() != items.size()) {
                return false;
            }
            for (int i = 0; i < items.size(); i++) {
                if (!items.get(i).matches(cell.items().get(i))) {
                    return false;
                }
            }
            return true;
        }
    }

    /** What a cell of an inexact column must be like. */
    default Expected near() {
        return this instanceof Floating(double value, boolean _) ? new Near(value) : this;
    }

    /** How a DuckDB type is read from DuckDB and expected from Spillway. */
    enum Kind {
        BOOL,
        NUMBER,
        FLOAT,
        DOUBLE,
        TEXT,
        DATE,
        MICROS,
        NANOS;

        private static final DateTimeFormatter SECONDS =
                DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss", Locale.ROOT);

        static Kind of(String type) {
            return switch (type) {
                case "BOOLEAN" -> BOOL;
                case "TINYINT",
                        "SMALLINT",
                        "INTEGER",
                        "BIGINT",
                        "HUGEINT",
                        "UTINYINT",
                        "USMALLINT",
                        "UINTEGER",
                        "UBIGINT" ->
                        NUMBER;
                case "FLOAT" -> FLOAT;
                case "DOUBLE" -> DOUBLE;
                case "VARCHAR" -> TEXT;
                case "DATE" -> DATE;
                case "TIMESTAMP" -> MICROS;
                case "TIMESTAMP_NS" -> NANOS;
                default -> {
                    if (type.startsWith("DECIMAL")) {
                        yield NUMBER;
                    }
                    throw new AssertionError("no rule for " + type);
                }
            };
        }

        /** The SQL by which a column is read so that its text loses nothing. */
        String read(String column) {
            return switch (this) {
                case BOOL, TEXT -> column;
                case NUMBER, FLOAT, DOUBLE -> "CAST(" + column + " AS VARCHAR)";
                case DATE -> column + " - DATE '1970-01-01'";
                case MICROS -> "epoch_us(" + column + ")";
                case NANOS -> "epoch_ns(" + column + ")";
            };
        }

        /** What is expected for the text of a value so read. */
        Expected expect(String text) {
            return switch (this) {
                case BOOL -> new Token(JsonRow.Kind.BOOL, text);
                case NUMBER -> new Token(JsonRow.Kind.NUMBER, text);
                case FLOAT -> new Floating(Float.parseFloat(number(text)), true);
                case DOUBLE -> new Floating(Double.parseDouble(number(text)), false);
                case TEXT -> new Token(JsonRow.Kind.STRING, text);
                case DATE ->
                        new Token(
                                JsonRow.Kind.STRING,
                                LocalDate.ofEpochDay(Long.parseLong(text)).toString());
                case MICROS -> timestamp(Long.parseLong(text), 6);
                case NANOS -> timestamp(Long.parseLong(text), 9);
            };
        }

        private static String number(String text) {
            return switch (text) {
                case "nan", "-nan" -> "NaN";
                case "inf" -> "Infinity";
                case "-inf" -> "-Infinity";
                default -> text;
            };
        }

        /** RFC 3339 without zone, with every digit that the type holds. */
        private static Expected timestamp(long ticks, int digits) {
            long second = digits == 6 ? 1_000_000 : 1_000_000_000;
            LocalDateTime time =
                    LocalDateTime.ofEpochSecond(Math.floorDiv(ticks, second), 0, ZoneOffset.UTC);
            String fraction = Long.toString(second + Math.floorMod(ticks, second)).substring(1);
            return new Token(JsonRow.Kind.STRING, time.format(SECONDS) + "." + fraction);
        }
    }
}
