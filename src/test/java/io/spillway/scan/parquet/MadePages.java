package io.spillway.scan.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.batch.OffHeap;
import io.spillway.scan.parquet.column.LeafEntries;
import io.spillway.scan.parquet.footer.ColumnNode;
import io.spillway.scan.parquet.index.RowRanges;
import io.spillway.scan.parquet.page.Page;
import io.spillway.scan.parquet.page.PageInfo;
import io.spillway.scan.parquet.page.PageSource;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.apache.parquet.bytes.HeapByteBufferAllocator;
import org.apache.parquet.column.values.rle.RunLengthBitPackingHybridEncoder;
import org.apache.parquet.format.Encoding;
import org.jspecify.annotations.Nullable;

/**
 * Pages of one leaf, made of its entries; now and then they are not there yet, and some have only
 * those bytes that are asked for.
 */
public final class MadePages implements PageSource {

    private record Made(PageInfo info, ByteArrayOutputStream bytes) {}

    private final ColumnNode.Leaf leaf;
    private final Deque<Made> pages = new ArrayDeque<>();
    private final Random random;
    private final List<Object> dictionary = new ArrayList<>();
    private boolean damaged;

    public MadePages(ColumnNode.Leaf leaf, Random random) {
        this.leaf = leaf;
        this.random = random;
    }

    /** All rows, or some of them. */
    public static RowRanges wanted(int rows, Random random) {
        if (random.nextBoolean()) {
            return RowRanges.of(0, rows);
        }
        RowRanges.Builder ranges = new RowRanges.Builder();
        int from = random.nextInt(4);
        while (from < rows) {
            int to = Math.min(rows, from + 1 + random.nextInt(10));
            ranges.add(from, to);
            from = to + 1 + random.nextInt(12);
        }
        return ranges.build();
    }

    /** Where rows begin among entries, and where the last one ends. */
    private static List<Integer> rowStarts(List<LeafEntries.Entry> entries) {
        List<Integer> starts = new ArrayList<>();
        for (int i = 0; i < entries.size(); i++) {
            if (entries.get(i).repetition() == 0) {
                starts.add(i);
            }
        }
        starts.add(entries.size());
        return starts;
    }

    /**
     * Cuts entries into pages of any kind.
     *
     * @param wanted pages without any of these rows may be left out
     */
    public static MadePages of(
            ColumnNode.Leaf leaf,
            List<LeafEntries.Entry> entries,
            RowRanges wanted,
            Random random) {
        MadePages pages = new MadePages(leaf, random);
        List<Integer> starts = rowStarts(entries);
        int rows = starts.size() - 1;
        if (random.nextBoolean()) {
            pages.addDictionary(
                    entries.stream()
                            .filter(e -> e.value() != null)
                            .<Object>map(e -> e.value() == null ? "" : e.value())
                            .distinct()
                            .limit(20)
                            .toList());
        }
        boolean withinRows = random.nextInt(3) == 0;
        boolean indexed = !withinRows && random.nextBoolean();
        int pageSize = 1 + random.nextInt(random.nextBoolean() ? 5 : 60);
        if (withinRows) {
            for (int at = 0; at < entries.size(); ) {
                int to = Math.min(entries.size(), at + random.nextInt(pageSize + 1));
                pages.addV1(entries.subList(at, to));
                at = to;
            }
            return pages;
        }
        for (int row = 0; row < rows; ) {
            int to = Math.min(rows, row + random.nextInt(pageSize + 1));
            List<LeafEntries.Entry> part = entries.subList(starts.get(row), starts.get(to));
            if (indexed) {
                if (wanted.overlaps(row, to)) {
                    pages.addV2(part, to - row, row);
                }
            } else if (random.nextBoolean()) {
                pages.addV2(part, to - row, PageInfo.UNKNOWN);
            } else {
                pages.addV1(part);
            }
            row = to;
        }
        return pages;
    }

    /** A page of version 1, whose header does not tell its rows. */
    public void addV1(List<LeafEntries.Entry> entries) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        if (leaf.repetition() > 0) {
            prefixed(levels(entries, true), out);
        }
        if (leaf.presentAt() > 0) {
            prefixed(levels(entries, false), out);
        }
        add(PageInfo.Kind.DATA, entries, out, 0, 0, PageInfo.UNKNOWN, PageInfo.UNKNOWN);
    }

    /**
     * A page of version 2.
     *
     * @param firstRow the row it begins with, or {@link PageInfo#UNKNOWN}
     */
    void addV2(List<LeafEntries.Entry> entries, int rows, long firstRow) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        byte[] repetition = leaf.repetition() > 0 ? levels(entries, true) : new byte[0];
        byte[] definition = leaf.presentAt() > 0 ? levels(entries, false) : new byte[0];
        out.writeBytes(repetition);
        out.writeBytes(definition);
        int bytes = repetition.length + definition.length;
        add(PageInfo.Kind.DATA_V2, entries, out, bytes, repetition.length, firstRow, rows);
    }

    /** Values of pages to come may be indices into these. */
    public void addDictionary(List<Object> entries) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        entries.forEach(v -> plain(v, out));
        dictionary.addAll(entries);
        pages.add(
                new Made(
                        info(
                                PageInfo.Kind.DICTIONARY,
                                entries.size(),
                                Encoding.PLAIN,
                                out.size(),
                                0,
                                0,
                                PageInfo.UNKNOWN,
                                PageInfo.UNKNOWN),
                        out));
    }

    private void add(
            PageInfo.Kind kind,
            List<LeafEntries.Entry> entries,
            ByteArrayOutputStream out,
            int levelBytes,
            int repetitionBytes,
            long firstRow,
            int rows) {
        List<Object> values = new ArrayList<>();
        entries.stream().map(LeafEntries.Entry::value).forEach(v -> addPresent(v, values));
        boolean indexed = dictionary.containsAll(values) && random.nextInt(3) > 0;
        if (indexed) {
            int width = 32 - Integer.numberOfLeadingZeros(Math.max(1, dictionary.size() - 1));
            out.write(width);
            int[] indices = values.stream().mapToInt(dictionary::indexOf).toArray();
            out.writeBytes(runs(width, indices));
        } else {
            values.forEach(v -> plain(v, out));
        }
        Encoding encoding = indexed ? Encoding.RLE_DICTIONARY : Encoding.PLAIN;
        pages.add(
                new Made(
                        info(
                                kind,
                                entries.size(),
                                encoding,
                                out.size(),
                                levelBytes,
                                repetitionBytes,
                                firstRow,
                                rows),
                        out));
    }

    private static void addPresent(@Nullable Object value, List<Object> to) {
        if (value != null) {
            to.add(value);
        }
    }

    private static PageInfo info(
            PageInfo.Kind kind,
            int values,
            Encoding encoding,
            int bytes,
            int levelBytes,
            int repetitionBytes,
            long firstRow,
            int rows) {
        return new PageInfo(
                kind,
                values,
                encoding,
                Encoding.RLE,
                Encoding.RLE,
                bytes,
                bytes,
                false,
                levelBytes,
                repetitionBytes,
                null,
                firstRow,
                rows);
    }

    private byte[] levels(List<LeafEntries.Entry> entries, boolean repetition) {
        int highest = repetition ? leaf.repetition() : leaf.presentAt();
        return runs(
                32 - Integer.numberOfLeadingZeros(highest),
                entries.stream()
                        .mapToInt(e -> repetition ? e.repetition() : e.definition())
                        .toArray());
    }

    private static byte[] runs(int width, int[] values) {
        try (var encoder =
                new RunLengthBitPackingHybridEncoder(
                        width, 64, 1 << 20, new HeapByteBufferAllocator())) {
            for (int v : values) {
                encoder.writeInt(v);
            }
            return encoder.toBytes().toInputStream().readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void prefixed(byte[] levels, ByteArrayOutputStream out) {
        out.writeBytes(int32(levels.length));
        out.writeBytes(levels);
    }

    private static void plain(Object value, ByteArrayOutputStream out) {
        if (value instanceof Integer i) {
            out.writeBytes(int32(i));
        } else {
            byte[] text = ((String) value).getBytes(StandardCharsets.UTF_8);
            out.writeBytes(int32(text.length));
            out.writeBytes(text);
        }
    }

    private static byte[] int32(int value) {
        return ByteBuffer.allocate(Integer.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(value)
                .array();
    }

    /** Changes a byte of each page. */
    public void damage() {
        damaged = true;
    }

    private boolean isLate() {
        return random.nextInt(4) == 0;
    }

    @Override
    public State header() {
        if (pages.isEmpty()) {
            return State.END;
        }
        return isLate() ? State.WAITING : State.READY;
    }

    @Override
    public PageInfo info() {
        return pages.element().info();
    }

    @Override
    public State body() {
        return isLate() ? State.WAITING : State.READY;
    }

    @Override
    public CompletableFuture<?> waiting() {
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public void take(Page page, int part, boolean readAhead) {
        byte[] bytes = pages.remove().bytes().toByteArray();
        if (damaged && bytes.length > 0) {
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
        }
        assertThat(part).isBetween(0, Integer.MAX_VALUE);
        if (random.nextBoolean()) {
            page.allocate(bytes.length, new Later(bytes));
        } else {
            OffHeap.write(bytes, 0, page.allocate(bytes.length), bytes.length);
        }
    }

    /** Bytes that are there when they are asked for, or a little before; others are noise. */
    private final class Later implements Page.Body {

        private final byte[] bytes;

        Later(byte[] bytes) {
            this.bytes = bytes;
        }

        @Override
        public int fill(long page, int least) {
            assertThat(least).isBetween(1, bytes.length);
            int there = Math.min(bytes.length, least + random.nextInt(3));
            byte[] noise = new byte[bytes.length];
            random.nextBytes(noise);
            System.arraycopy(bytes, 0, noise, 0, there);
            OffHeap.write(noise, 0, page, noise.length);
            return there;
        }

        @Override
        public void close() {}
    }

    @Override
    public void skip() {
        pages.remove();
    }

    @Override
    public void close() {
        pages.clear();
    }
}
