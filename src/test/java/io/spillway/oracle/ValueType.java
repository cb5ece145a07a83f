package io.spillway.oracle;

/** What the generators know of a column's or an expression's type. */
sealed interface ValueType {

    /** Its name in a CAST, in both dialects. */
    String sql();

    /** May expressions compute with it, compare it, order and group by it? */
    default boolean isPlain() {
        return true;
    }

    /** Truth value. */
    record Bool() implements ValueType {
        @Override
        public String sql() {
            return "BOOLEAN";
        }
    }

    /**
     * Integer.
     *
     * @param bits of its SQL type: 8, 16, 32 or 64
     * @param magnitude its values are in [-2^magnitude, 2^magnitude]
     */
    record Int(int bits, int magnitude) implements ValueType {

        /** All values of an integer type. */
        static Int full(int bits) {
            return new Int(bits, bits - 1);
        }

        @Override
        public String sql() {
            return switch (bits) {
                case 8 -> "TINYINT";
                case 16 -> "SMALLINT";
                case 32 -> "INTEGER";
                default -> "BIGINT";
            };
        }
    }

    /** IEEE 754 number of 32 bits. */
    record Float32() implements ValueType {
        @Override
        public String sql() {
            return "REAL";
        }
    }

    /** IEEE 754 number of 64 bits. */
    record Float64() implements ValueType {
        @Override
        public String sql() {
            return "DOUBLE";
        }
    }

    /** Decimal. */
    record Decimal(int precision, int scale) implements ValueType {
        @Override
        public String sql() {
            return "DECIMAL(" + precision + "," + scale + ")";
        }
    }

    /** Text. */
    record Text() implements ValueType {
        @Override
        public String sql() {
            return "VARCHAR";
        }
    }

    /** Day. */
    record Date() implements ValueType {
        @Override
        public String sql() {
            return "DATE";
        }
    }

    /** Local date and time in microseconds. */
    record Micros() implements ValueType {
        @Override
        public String sql() {
            return "TIMESTAMP(6)";
        }
    }

    /** Local date and time in nanoseconds. */
    record Nanos() implements ValueType {
        @Override
        public String sql() {
            return "TIMESTAMP(9)";
        }
    }

    /**
     * A DOUBLE whose last digits depend on how it was computed, and which is therefore compared
     * with tolerance and in no expression.
     */
    record Inexact() implements ValueType {
        @Override
        public String sql() {
            return "DOUBLE";
        }

        @Override
        public boolean isPlain() {
            return false;
        }
    }

    /** List of plain values. */
    record ListOf(ValueType element) implements ValueType {
        @Override
        public String sql() {
            return element.sql() + "[]";
        }

        @Override
        public boolean isPlain() {
            return false;
        }
    }

    /** Values of the type are neither written down nor computed with. */
    static AssertionError notPlain(ValueType type) {
        return new AssertionError("no expression has " + type);
    }
}
