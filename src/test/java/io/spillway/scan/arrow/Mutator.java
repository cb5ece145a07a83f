package io.spillway.scan.arrow;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Makes bad files of good ones. The same seed makes the same file. */
final class Mutator {

    /** How a file is changed. */
    enum Kind {
        FLIPPED_BITS,
        OTHER_BYTES,
        OTHER_NUMBER,
        FLIPPED_BITS_IN_METADATA,
        OTHER_BYTES_IN_METADATA,
        OTHER_INT_IN_METADATA,
        OTHER_LONG_IN_METADATA,
        CUT_OFF,
        LEFT_OUT,
        PUT_IN,
        DOUBLED
    }

    /** A good file. */
    @SuppressWarnings("ArrayRecordComponent") // nobody compares files
    record Origin(String name, byte[] bytes) {}

    /** A file that was changed. */
    @SuppressWarnings("ArrayRecordComponent") // nobody compares mutants
    record Mutant(String origin, Kind kind, byte[] bytes) {

        @Override
        public String toString() {
            return origin + ", " + kind;
        }
    }

    /** Bytes from one to before another. */
    private record Span(int from, int to) {}

    private final List<Origin> files;
    private final List<List<Span>> metadata = new ArrayList<>();

    Mutator(List<Origin> files) {
        this.files = List.copyOf(files);
        for (Origin file : files) {
            List<Span> spans = metadata(file.bytes());
            // Old messages have no mark: their metadata may be anywhere.
            metadata.add(spans.size() > 1 ? spans : List.of(new Span(0, file.bytes().length)));
        }
    }

    /** Where messages have their metadata, and a footer. */
    private static List<Span> metadata(byte[] file) {
        ByteBuffer bytes = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
        List<Span> spans = new ArrayList<>();
        for (int at = 0; at + 8 <= file.length; at += 8) {
            int length = bytes.getInt(at) == -1 ? bytes.getInt(at + 4) : 0;
            if (length > 0 && length < file.length - at - 8) {
                spans.add(new Span(at, at + 8 + length));
                at += length / 8 * 8;
            }
        }
        int footer = bytes.getInt(file.length - 10);
        if (file[file.length - 1] == '1' && footer > 0 && footer < file.length) {
            spans.add(new Span(file.length - 10 - footer, file.length));
        }
        return spans;
    }

    /** One bad file. */
    Mutant mutant(long seed) {
        Random random = new Random(seed);
        int index = random.nextInt(files.size());
        byte[] good = files.get(index).bytes();
        List<Span> spans = metadata.get(index);
        Kind kind = Kind.values()[random.nextInt(Kind.values().length)];
        byte[] bad =
                switch (kind) {
                    case FLIPPED_BITS, OTHER_BYTES, OTHER_NUMBER ->
                            inPlace(good, List.of(new Span(0, good.length)), kind, random);
                    case FLIPPED_BITS_IN_METADATA,
                            OTHER_BYTES_IN_METADATA,
                            OTHER_INT_IN_METADATA,
                            OTHER_LONG_IN_METADATA ->
                            inPlace(good, spans, kind, random);
                    case CUT_OFF -> Arrays.copyOf(good, random.nextInt(good.length));
                    case LEFT_OUT, PUT_IN, DOUBLED -> longerOrShorter(good, kind, random);
                };
        return new Mutant(files.get(index).name(), kind, bad);
    }

    private static byte[] inPlace(byte[] good, List<Span> spans, Kind kind, Random random) {
        byte[] bytes = good.clone();
        ByteBuffer numbers = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        for (int n = 1 + random.nextInt(3); n > 0; n--) {
            Span span = spans.get(random.nextInt(spans.size()));
            int at = random.nextInt(span.from(), span.to());
            int aligned = at & -4;
            switch (kind) {
                case FLIPPED_BITS, FLIPPED_BITS_IN_METADATA ->
                        bytes[at] ^= (byte) (1 << random.nextInt(8));
                case OTHER_NUMBER, OTHER_INT_IN_METADATA -> {
                    if (aligned + 4 <= bytes.length) {
                        numbers.putInt(aligned, (int) odd(numbers.getInt(aligned), random));
                    }
                }
                case OTHER_LONG_IN_METADATA -> {
                    int eight = at & -8;
                    if (eight + 8 <= bytes.length) {
                        numbers.putLong(eight, odd(numbers.getLong(eight), random));
                    }
                }
                default -> {
                    for (int i = at; i < Math.min(span.to(), at + 1 + random.nextInt(8)); i++) {
                        bytes[i] = (byte) random.nextInt();
                    }
                }
            }
        }
        return bytes;
    }

    /** Another number, of those that programs get wrong. */
    private static long odd(long before, Random random) {
        return switch (random.nextInt(10)) {
            case 0 -> 0;
            case 1 -> -1;
            case 2 -> Integer.MAX_VALUE;
            case 3 -> Integer.MIN_VALUE;
            case 4 -> Long.MAX_VALUE;
            case 5 -> before + 1;
            case 6 -> before - 1;
            case 7 -> before * 2;
            case 8 -> -before;
            default -> 1L << random.nextInt(63);
        };
    }

    private static byte[] longerOrShorter(byte[] good, Kind kind, Random random) {
        int from = random.nextInt(good.length);
        int to = Math.min(good.length, from + 8 * (1 + random.nextInt(20)));
        int resume = kind == Kind.LEFT_OUT ? to : from;
        byte[] between = kind == Kind.LEFT_OUT ? new byte[0] : Arrays.copyOfRange(good, from, to);
        if (kind == Kind.PUT_IN) {
            random.nextBytes(between);
        }
        return ByteBuffer.allocate(from + between.length + good.length - resume)
                .put(good, 0, from)
                .put(between)
                .put(good, resume, good.length - resume)
                .array();
    }
}
