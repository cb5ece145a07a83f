package io.spillway.scan.parquet;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.PageHeader;

/** Makes bad files of good ones. The same seed makes the same file. */
final class Mutator {

    /** How a file is changed. */
    enum Kind {
        FLIPPED_BITS,
        FLIPPED_BITS_IN_PAGES,
        OTHER_BYTES,
        OTHER_BYTES_IN_PAGES,
        OTHER_NUMBER,
        CUT_OFF,
        LEFT_OUT,
        PUT_IN,
        DOUBLED,
        FOOTER_OF_ANOTHER_FILE,
        FOOTER_FIELD,
        PAGE_HEADER_FIELD
    }

    /** Some footers of the suite cannot be written by Thrift at all. */
    private static final int ATTEMPTS = 10;

    private final List<MutableFile> files;

    Mutator(List<MutableFile> files) {
        this.files = List.copyOf(files);
    }

    /** One bad file. */
    Mutant mutant(long seed) {
        Random random = new Random(seed);
        MutableFile file = files.get(random.nextInt(files.size()));
        Kind kind = Kind.values()[random.nextInt(Kind.values().length)];
        return switch (kind) {
            case FLIPPED_BITS, OTHER_BYTES, OTHER_NUMBER -> inPlace(file, kind, random);
            case FLIPPED_BITS_IN_PAGES, OTHER_BYTES_IN_PAGES -> inPages(file, kind, random);
            case CUT_OFF ->
                    mutant(
                            file,
                            kind,
                            Arrays.copyOf(file.bytes(), random.nextInt(file.bytes().length)));
            case LEFT_OUT, PUT_IN, DOUBLED -> longerOrShorter(file, kind, random);
            case FOOTER_OF_ANOTHER_FILE -> {
                MutableFile other = files.get(random.nextInt(files.size()));
                yield new Mutant(
                        file.name(),
                        "footer of " + other.name(),
                        file.withFooter(other.footerBytes()),
                        false);
            }
            case FOOTER_FIELD -> footerField(file, random);
            case PAGE_HEADER_FIELD -> pageHeaderField(file, random);
        };
    }

    private static Mutant mutant(MutableFile file, Kind kind, byte[] bytes) {
        return new Mutant(file.name(), kind.name(), bytes, false);
    }

    private static Mutant inPlace(MutableFile file, Kind kind, Random random) {
        byte[] bytes = file.bytes().clone();
        for (int n = 1 + random.nextInt(4); n > 0; n--) {
            change(bytes, random.nextInt(bytes.length), bytes.length, kind, random);
        }
        return mutant(file, kind, bytes);
    }

    private static Mutant inPages(MutableFile file, Kind kind, Random random) {
        List<MutableFile.Span> pages =
                file.pages().stream().filter(p -> p.end() > p.body()).toList();
        if (pages.isEmpty()) {
            return inPlace(file, Kind.FLIPPED_BITS, random);
        }
        byte[] bytes = file.bytes().clone();
        for (int n = 1 + random.nextInt(4); n > 0; n--) {
            MutableFile.Span page = pages.get(random.nextInt(pages.size()));
            Kind change = kind == Kind.FLIPPED_BITS_IN_PAGES ? Kind.FLIPPED_BITS : Kind.OTHER_BYTES;
            change(bytes, random.nextInt(page.body(), page.end()), page.end(), change, random);
        }
        return new Mutant(file.name(), kind.name(), bytes, true);
    }

    private static void change(byte[] bytes, int at, int end, Kind kind, Random random) {
        if (kind == Kind.FLIPPED_BITS) {
            bytes[at] ^= (byte) (1 << random.nextInt(8));
        } else if (kind == Kind.OTHER_NUMBER && at + 4 <= end) {
            ByteBuffer number = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
            number.putInt(at, (int) ThriftSurgery.odd(number.getInt(at), random));
        } else {
            for (int i = at; i < Math.min(end, at + 1 + random.nextInt(8)); i++) {
                bytes[i] = (byte) random.nextInt();
            }
        }
    }

    /** Bytes before the footer, which then points elsewhere. */
    private static Mutant longerOrShorter(MutableFile file, Kind kind, Random random) {
        byte[] bytes = file.bytes();
        int from = random.nextInt(bytes.length);
        int to = Math.min(bytes.length, from + 1 + random.nextInt(100));
        int resume = kind == Kind.LEFT_OUT ? to : from;
        byte[] between =
                switch (kind) {
                    case PUT_IN -> {
                        byte[] noise = new byte[to - from];
                        random.nextBytes(noise);
                        yield noise;
                    }
                    case DOUBLED -> Arrays.copyOfRange(bytes, from, to);
                    default -> new byte[0];
                };
        ByteBuffer all =
                ByteBuffer.allocate(from + between.length + bytes.length - resume)
                        .put(bytes, 0, from)
                        .put(between)
                        .put(bytes, resume, bytes.length - resume);
        return mutant(file, kind, all.array());
    }

    private static Mutant footerField(MutableFile file, Random random) {
        for (int i = 0; i < ATTEMPTS; i++) {
            try {
                FileMetaData footer = file.footer();
                String how = ThriftSurgery.operate(footer, random);
                return new Mutant(file.name(), how, file.withFooter(footer), false);
            } catch (IOException | RuntimeException _) {
                // Thrift does not write such a struct: another one.
            }
        }
        return inPlace(file, Kind.FLIPPED_BITS, random);
    }

    private static Mutant pageHeaderField(MutableFile file, Random random) {
        for (int i = 0; i < ATTEMPTS && !file.pages().isEmpty(); i++) {
            try {
                MutableFile.Span page = file.pages().get(random.nextInt(file.pages().size()));
                PageHeader header = file.pageHeader(page);
                String how = ThriftSurgery.operate(header, random);
                return new Mutant(file.name(), how, file.withPageHeader(page, header), false);
            } catch (IOException | RuntimeException _) {
                // Thrift does not write such a struct: another one.
            }
        }
        return inPlace(file, Kind.FLIPPED_BITS, random);
    }
}
