package io.spillway.expression;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.batch.ColumnType;
import io.spillway.batch.OffHeap;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.RootAllocator;

/** Columns of texts, read at once, against the same texts one by one. */
class TextValuesTest {

    private static final int MASK = (1 << 30) - 1;
    private static final int BEHIND = 16;

    private static final List<ColumnType> TYPES =
            List.of(
                    new ColumnType.Bool(),
                    new ColumnType.Int(8, true),
                    new ColumnType.Int(32, true),
                    new ColumnType.Int(64, true),
                    new ColumnType.Int(64, false),
                    new ColumnType.FloatingPoint(32),
                    new ColumnType.FloatingPoint(64),
                    new ColumnType.Decimal(9, 2),
                    new ColumnType.Decimal(18, 0),
                    new ColumnType.Decimal(38, 10),
                    new ColumnType.Decimal(38, 38),
                    new ColumnType.Date(),
                    new ColumnType.Time(ColumnType.TimeUnit.MICRO),
                    new ColumnType.Timestamp(ColumnType.TimeUnit.SECOND, false),
                    new ColumnType.Timestamp(ColumnType.TimeUnit.MILLI, true),
                    new ColumnType.Timestamp(ColumnType.TimeUnit.MICRO, false),
                    new ColumnType.Timestamp(ColumnType.TimeUnit.NANO, true));

    private static final String[] ODD = {
        "",
        " ",
        "-",
        "+",
        ".",
        "-.",
        "0",
        "-0",
        "+0",
        "00",
        "-00.00",
        ".5",
        "5.",
        "-.5e1",
        "1e5",
        "1E-400",
        "1e400",
        "NaN",
        "nan",
        "-Infinity",
        "inf",
        "true",
        "TRUE",
        "t",
        "falsey",
        "false",
        "false ",
        " 12",
        "12\t",
        "1 2",
        "1,5",
        "0x10",
        "9223372036854775807",
        "9223372036854775808",
        "-9223372036854775808",
        "-9223372036854775809",
        "18446744073709551615",
        "18446744073709551616",
        "2147483648",
        "-2147483649",
        "999999999999999",
        "1000000000000000",
        "9007199254740993",
        "0.1",
        "123456789012345678.9",
        "99999999999999999999999999999999999999",
        "0.00000000000000000000000000000000000001",
        "9999999.99",
        "9999999.995",
        "9999999.994",
        "2024-02-29",
        "2023-02-29",
        "2024-2-29",
        "0000-01-01",
        "9999-12-31",
        "-0001-01-01",
        "12024-01-01",
        "2024-13-01",
        "2024-00-10",
        "2024-01-32",
        "2024-01-01T",
        "2024-01-01T24:00",
        "2024-01-01T23:59",
        "2024-01-01t23:59:59",
        "2024-01-01 23:59:60",
        "2024-01-01T1:02:03",
        "2024-01-01T23:59:59.",
        "2024-01-01T23:59:59.123456789",
        "2024-01-01T23:59:59.1234567891",
        "2024-01-01T23:59:59Z",
        "2024-01-01T23:59:5Z",
        "2024-01-01T23:5Z",
        "2024-01-01T23:59Z",
        "2024-01-01T23:59:59+01:00",
        "2024-01-01T23:59:59.5-0130",
        "1969-12-31T23:59:59.999999999",
        "1677-09-21T00:12:43.145224192Z",
        "1677-09-21T00:12:43.145224191Z",
        "2262-04-11T23:47:16.854775807",
        "2262-04-11T23:47:16.854775808",
        "1677-12-31T00:00:00",
        "2024-01-01T23:59:59z",
        "2024\u201301\u201301",
        "\u0661\u0662",
        "1/2/2024",
        "12:30:00",
        "2024:01:01",
        "2024-01-01X10:00:00"
    };

    private static String text(Random random) {
        String text =
                switch (random.nextInt(9)) {
                    case 0 -> ODD[random.nextInt(ODD.length)];
                    case 1 -> Long.toString(random.nextLong() >> random.nextInt(64));
                    case 2 -> Double.toString(random.nextGaussian() * 1_000);
                    case 3 -> Double.toString(Double.longBitsToDouble(random.nextLong()));
                    case 4 ->
                            (random.nextLong() >> random.nextInt(64))
                                    + "."
                                    + (random.nextLong() >>> (1 + random.nextInt(63)));
                    case 5 -> LocalDate.ofEpochDay(random.nextInt(3_000_000) - 719_528).toString();
                    case 6 -> timestamp(random);
                    case 7 ->
                            timestamp(random).replace('T', ' ')
                                    + (random.nextInt(3) == 0 ? "Z" : "");
                    default -> "0".repeat(random.nextInt(20)) + random.nextInt();
                };
        if (random.nextInt(4) != 0 || text.isEmpty()) {
            return text;
        }
        StringBuilder changed = new StringBuilder(text);
        int at = random.nextInt(text.length());
        switch (random.nextInt(3)) {
            case 0 -> changed.deleteCharAt(at);
            case 1 -> changed.setCharAt(at, (char) (' ' + random.nextInt(96)));
            default -> changed.insert(at, "0123456789-+.:eTZ ".charAt(random.nextInt(18)));
        }
        return changed.toString();
    }

    private static String timestamp(Random random) {
        LocalDateTime time =
                LocalDateTime.ofEpochSecond(
                        (random.nextLong() >> 29) + random.nextInt(86_400),
                        random.nextInt(1_000_000_000),
                        java.time.ZoneOffset.UTC);
        int digits = random.nextInt(4) * 3;
        return time.toString().length() < 29 || digits == 9
                ? time.toString()
                : time.toString().substring(0, digits == 0 ? 19 : 20 + digits);
    }

    @Property(tries = 300)
    void aColumnIsReadAsItsTextsAre(@ForAll long seed) {
        Random random = new Random(seed);
        List<byte[]> texts = new ArrayList<>();
        int total = BEHIND;
        for (int i = 0; i < 200; i++) {
            byte[] bytes = text(random).getBytes(StandardCharsets.UTF_8);
            texts.add(bytes);
            total += bytes.length;
        }
        try (RootAllocator allocator = new RootAllocator();
                ArrowBuf memory = allocator.buffer(total)) {
            int[] starts = new int[texts.size()];
            int[] lengths = new int[texts.size()];
            int at = 0;
            for (int i = 0; i < starts.length; i++) {
                starts[i] = at;
                lengths[i] = texts.get(i).length | (random.nextBoolean() ? 1 << 31 : 0);
                OffHeap.write(texts.get(i), 0, memory.memoryAddress() + at, texts.get(i).length);
                at += texts.get(i).length;
            }
            for (ColumnType type : TYPES) {
                check(type, memory.memoryAddress(), starts, lengths, texts, allocator, random);
            }
        }
    }

    /** Texts that are no values are counted out one after the other, as they are found. */
    private static void check(
            ColumnType type,
            long base,
            int[] starts,
            int[] lengths,
            List<byte[]> texts,
            RootAllocator allocator,
            Random random) {
        int rows = starts.length;
        TextValues values = TextValues.of(type);
        try (ArrowBuf valid = allocator.buffer(64);
                ArrowBuf expected = allocator.buffer(16L * rows);
                ArrowBuf found = allocator.buffer(16L * rows)) {
            OffHeap.zero(valid.memoryAddress(), 64);
            OffHeap.zero(expected.memoryAddress(), 16L * rows);
            boolean[] wrong = new boolean[rows];
            for (int row = 0; row < rows; row++) {
                if (random.nextInt(8) != 0) {
                    Bits.set(valid.memoryAddress(), row);
                    wrong[row] =
                            !values.read(
                                    base + starts[row],
                                    lengths[row] & MASK,
                                    expected.memoryAddress(),
                                    row);
                }
            }
            int row = 0;
            while (row < rows) {
                OffHeap.zero(found.memoryAddress(), 16L * rows);
                int stopped =
                        values.readColumn(
                                base,
                                starts,
                                lengths,
                                MASK,
                                rows,
                                valid.memoryAddress(),
                                found.memoryAddress());
                for (int i = row; i < stopped; i++) {
                    assertThat(wrong[i])
                            .as("%s: '%s'", type, new String(texts.get(i), StandardCharsets.UTF_8))
                            .isFalse();
                }
                if (stopped < rows) {
                    assertThat(wrong[stopped])
                            .as(
                                    "%s: '%s'",
                                    type, new String(texts.get(stopped), StandardCharsets.UTF_8))
                            .isTrue();
                    Bits.clear(valid.memoryAddress(), stopped);
                }
                row = stopped < rows ? stopped + 1 : rows;
            }
            for (long at = 0; at < 16L * rows; at += Long.BYTES) {
                if (OffHeap.getLong(found.memoryAddress() + at)
                        != OffHeap.getLong(expected.memoryAddress() + at)) {
                    int width = type instanceof ColumnType.Bool ? 1 : TextValues.width(type);
                    int i = (int) at / width;
                    throw new AssertionError(
                            type
                                    + " near '"
                                    + new String(
                                            texts.get(Math.min(i, rows - 1)),
                                            StandardCharsets.UTF_8)
                                    + "'");
                }
            }
        }
    }
}
