package io.spillway.scan.parquet.column;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnVector;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.memory.MemoryPool;
import io.spillway.scan.parquet.MadePages;
import io.spillway.scan.parquet.NestedData;
import io.spillway.scan.parquet.Values;
import io.spillway.scan.parquet.bytes.Place;
import io.spillway.scan.parquet.footer.ColumnNode;
import io.spillway.scan.parquet.footer.NestedTypes;
import io.spillway.scan.parquet.index.RowRanges;
import io.spillway.scan.parquet.value.ValueDecoder;
import io.spillway.scan.parquet.value.ValueDecoders;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.AfterProperty;
import net.jqwik.api.lifecycle.AfterTry;
import org.apache.parquet.schema.MessageTypeParser;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Nested columns of pages that no writer at hand makes: they begin within rows, are of both
 * versions in one chunk, have been left out, or contradict each other.
 */
class NestedReaderTest {

    private static final Place PLACE = new Place("file:///f", 0, "c");

    private final MemoryPool pool = MemoryPool.root(1L << 28);

    @AfterTry
    void nothingIsLeft() {
        assertThat(pool.held()).isZero();
    }

    @AfterEach
    @AfterProperty
    void close() {
        pool.close();
    }

    /** A column, its rows, and the entries of its leaves. */
    private record Column(
            NestedData.Field field,
            ColumnNode root,
            List<@Nullable Object> rows,
            List<List<LeafEntries.Entry>> entries) {

        static Column random(long seed, int rowCount, int depth) {
            NestedData data =
                    new NestedData(
                            seed, List.of(PrimitiveTypeName.INT32, PrimitiveTypeName.BINARY));
            NestedData.Field field;
            do {
                field = data.column("c", depth);
            } while (field.node() instanceof NestedData.Leaf);
            List<@Nullable Object> rows = new ArrayList<>();
            for (int i = 0; i < rowCount; i++) {
                rows.add(data.value(field));
            }
            ColumnNode root = NestedTypes.of(NestedData.parquet(field), 0);
            return new Column(field, root, rows, LeafEntries.of(field, rows));
        }
    }

    private NestedReader reader(Column column, List<MadePages> pages, RowRanges wanted, long rows) {
        return new NestedReader(
                column.root().field(),
                column.root(),
                path -> {
                    ColumnNode.Leaf leaf = (ColumnNode.Leaf) path.getLast();
                    ValueDecoder decoder =
                            ValueDecoders.of(
                                    leaf.field(),
                                    leaf.physical(),
                                    leaf.typeLength(),
                                    pool.allocator(),
                                    PLACE);
                    return new LeafReader(
                            path,
                            pages.get(leaf.chunk()),
                            decoder,
                            pool.allocator(),
                            WantedRows.of(wanted),
                            rows,
                            PLACE);
                },
                pool.allocator(),
                PLACE);
    }

    private List<@Nullable String> read(
            NestedReader reader, ColumnSchema schema, long rows, int batch) {
        List<@Nullable String> texts = new ArrayList<>();
        while (texts.size() < rows) {
            while (!reader.read((int) Math.min(batch, rows - texts.size()))) {
                assertThat(reader.waiting()).isCompleted();
            }
            try (ColumnVector vector = reader.take()) {
                assertThat(vector.size()).isBetween(1, batch);
                for (int i = 0; i < vector.size(); i++) {
                    texts.add(Values.text(vector, schema.type(), i));
                }
            }
        }
        return texts;
    }

    @Property(tries = 150)
    void readsPagesOfAnyKind(
            @ForAll long seed,
            @ForAll @IntRange(min = 1, max = 150) int rowCount,
            @ForAll @IntRange(min = 1, max = 5) int depth,
            @ForAll @IntRange(min = 1, max = 60) int batchRows) {
        Column column = Column.random(seed, rowCount, depth);
        Random random = new Random(seed);
        RowRanges wanted = MadePages.wanted(rowCount, random);
        List<MadePages> pages = new ArrayList<>();
        for (ColumnNode.Leaf leaf : column.root().leaves()) {
            pages.add(MadePages.of(leaf, column.entries().get(leaf.chunk()), wanted, random));
        }
        List<@Nullable String> expected = new ArrayList<>();
        for (int row = 0; row < rowCount; row++) {
            if (wanted.overlaps(row, row + 1L)) {
                expected.add(NestedData.text(column.field(), column.rows().get(row)));
            }
        }

        try (NestedReader reader = reader(column, pages, wanted, rowCount)) {
            assertThat(read(reader, column.root().field(), wanted.count(), batchRows))
                    .isEqualTo(expected);
        }
    }

    /** Whatever the levels are: rows, or an error that says that the file is corrupt. */
    @Property(tries = 200)
    void levelsThatAreWrong(
            @ForAll long seed,
            @ForAll @IntRange(min = 1, max = 60) int rowCount,
            @ForAll @IntRange(min = 1, max = 4) int depth) {
        Column column = Column.random(seed, rowCount, depth);
        Random random = new Random(seed);
        List<MadePages> pages = new ArrayList<>();
        for (ColumnNode.Leaf leaf : column.root().leaves()) {
            List<LeafEntries.Entry> entries = new ArrayList<>(column.entries().get(leaf.chunk()));
            for (int n = random.nextInt(3); n > 0 && !entries.isEmpty(); n--) {
                change(entries, leaf, random);
            }
            MadePages made = new MadePages(leaf, random);
            for (int at = 0; at < entries.size(); ) {
                int to = Math.min(entries.size(), at + 1 + random.nextInt(40));
                made.addV1(entries.subList(at, to));
                at = to;
            }
            pages.add(made);
        }
        readDamaged(column, pages, rowCount);
    }

    private static void change(
            List<LeafEntries.Entry> entries, ColumnNode.Leaf leaf, Random random) {
        int at = random.nextInt(entries.size());
        switch (random.nextInt(4)) {
            case 0 -> entries.remove(at);
            case 1 -> entries.add(at, entries.get(random.nextInt(entries.size())));
            default -> {
                int definition = random.nextInt(leaf.presentAt() + 2);
                int repetition = random.nextInt(leaf.repetition() + 2);
                entries.set(
                        at,
                        new LeafEntries.Entry(
                                leaf.repetition() == 0 ? 0 : repetition,
                                leaf.presentAt() == 0 ? 0 : definition,
                                entries.get(at).value()));
            }
        }
    }

    /** Whatever the bytes are, as where there are no checksums. */
    @Property(tries = 200)
    void bytesThatAreWrong(
            @ForAll long seed,
            @ForAll @IntRange(min = 1, max = 60) int rowCount,
            @ForAll @IntRange(min = 1, max = 4) int depth) {
        Column column = Column.random(seed, rowCount, depth);
        Random random = new Random(seed);
        RowRanges all = RowRanges.of(0, rowCount);
        List<MadePages> pages = new ArrayList<>();
        for (ColumnNode.Leaf leaf : column.root().leaves()) {
            MadePages made = MadePages.of(leaf, column.entries().get(leaf.chunk()), all, random);
            if (random.nextInt(3) > 0) {
                made.damage();
            }
            pages.add(made);
        }
        readDamaged(column, pages, rowCount);
    }

    private void readDamaged(Column column, List<MadePages> pages, int rowCount) {
        RowRanges all = RowRanges.of(0, rowCount);
        try (NestedReader reader = reader(column, pages, all, rowCount)) {
            assertThat(read(reader, column.root().field(), rowCount, 20)).hasSize(rowCount);
        } catch (SpillwayException e) {
            assertThat(e.code()).isIn(ErrorCode.FILE_CORRUPT, ErrorCode.MEMORY_LIMIT);
        }
    }

    /** Columns as Parquet's schema has them, with what each leaf's chunk holds. */
    private List<@Nullable String> read(String field, List<List<LeafEntries.Entry>> entries) {
        Type type = MessageTypeParser.parseMessageType("message m { " + field + " }").getType(0);
        ColumnNode root = NestedTypes.of(type, 0);
        Column column =
                new Column(
                        new NestedData.Field("c", new NestedData.Struct(List.of()), true),
                        root,
                        List.of(),
                        entries);
        List<MadePages> pages = new ArrayList<>();
        for (ColumnNode.Leaf leaf : root.leaves()) {
            MadePages made = new MadePages(leaf, new Random(1));
            made.addV1(entries.get(leaf.chunk()));
            pages.add(made);
        }
        long rows = entries.getFirst().stream().filter(e -> e.repetition() == 0).count();
        try (NestedReader reader = reader(column, pages, RowRanges.of(0, rows), rows)) {
            return read(reader, root.field(), rows, 10);
        }
    }

    private static List<LeafEntries.Entry> ints(int... levels) {
        List<LeafEntries.Entry> entries = new ArrayList<>();
        for (int i = 0; i < levels.length; i += 2) {
            entries.add(new LeafEntries.Entry(levels[i], levels[i + 1], null));
        }
        return entries;
    }

    private void assertCorrupt(
            String message, String field, List<List<LeafEntries.Entry>> entries) {
        assertThatExceptionOfType(SpillwayException.class)
                .isThrownBy(() -> read(field, entries))
                .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.FILE_CORRUPT))
                .withMessageContaining(message)
                .withMessageContaining("column 'c'");
    }

    private static final String LIST =
            "optional group c (LIST) { repeated group list { optional int32 element; } }";

    @Test
    void nullEmptyAndListOfNull() {
        assertThat(read(LIST, List.of(ints(0, 0, 0, 1, 0, 2, 1, 2))))
                .containsExactly(null, "[]", "[null, null]");
    }

    @Test
    void levelsOutOfRange() {
        assertCorrupt(
                "A level is above the highest, which is 2",
                "optional group c { optional int32 x; }",
                List.of(ints(0, 3)));
        assertCorrupt(
                "A level is above the highest, which is 2",
                "repeated group c { repeated int32 x; }",
                List.of(ints(0, 0, 3, 0)));
    }

    @Test
    void listsThatGoOnThoughTheyAreNullOrEmpty() {
        assertCorrupt("A list goes on", LIST, List.of(ints(0, 0, 1, 2)));
        assertCorrupt("A list goes on", LIST, List.of(ints(0, 1, 1, 2)));
        assertCorrupt("A list goes on", LIST, List.of(ints(0, 2, 1, 1)));
        assertCorrupt("A list goes on", LIST, List.of(ints(0, 2, 1, 0)));
    }

    @Test
    void rowsThatBeginWithinOne() {
        assertCorrupt("A page begins within a row", LIST, List.of(ints(1, 2, 0, 2)));
    }

    @Test
    void fieldsThatDisagree() {
        String struct = "optional group c { optional int32 x; optional int32 y; }";
        assertThat(read(struct, List.of(ints(0, 0, 0, 1), ints(0, 0, 0, 1))))
                .containsExactly(null, "{\"x\": null, \"y\": null}");
        assertCorrupt("disagree", struct, List.of(ints(0, 0, 0, 1), ints(0, 1, 0, 1)));

        String list = "repeated group c { optional int32 x; optional int32 y; }";
        assertThat(read(list, List.of(ints(0, 1, 1, 1, 0, 1), ints(0, 1, 1, 1, 0, 1)))).hasSize(2);
        assertCorrupt("disagree", list, List.of(ints(0, 1, 1, 1, 0, 1), ints(0, 1, 0, 1)));
        assertCorrupt("disagree", list, List.of(ints(0, 1, 1, 1, 0, 1), ints(0, 1, 0, 1, 1, 1)));
    }

    @Test
    void fewerOrMoreRowsThanThereAre() {
        assertCorrupt(
                "The chunk has fewer rows",
                "repeated group c { optional int32 x; optional int32 y; }",
                List.of(ints(0, 0, 0, 0), ints(0, 0)));
        assertCorrupt(
                "The chunk has more rows",
                "repeated group c { optional int32 x; optional int32 y; }",
                List.of(ints(0, 0, 0, 0), ints(0, 0, 0, 0, 0, 0)));
    }

    @Test
    void keysThatAreNull() {
        String map =
                "optional group c (MAP) { repeated group m { optional int32 k;"
                        + " optional int32 v; } }";
        assertThat(read(map, List.of(ints(0, 0, 0, 1), ints(0, 0, 0, 1))))
                .containsExactly(null, "<>");
        assertCorrupt("A map has a null key", map, List.of(ints(0, 2), ints(0, 2)));
    }

    @Test
    void largeTextsEndBatches() {
        String field = "repeated group c { required binary text (STRING); repeated int32 n; }";
        Type type = MessageTypeParser.parseMessageType("message m { " + field + " }").getType(0);
        ColumnNode root = NestedTypes.of(type, 0);
        String large = "x".repeat(700_000);
        for (boolean indexed : new boolean[] {false, true}) {
            List<LeafEntries.Entry> texts = new ArrayList<>();
            List<LeafEntries.Entry> numbers = new ArrayList<>();
            for (int row = 0; row < 40; row++) {
                for (int i = 0; i <= row % 3; i++) {
                    texts.add(new LeafEntries.Entry(i > 0 ? 1 : 0, 1, large + i));
                    numbers.add(new LeafEntries.Entry(i > 0 ? 1 : 0, 2, row));
                    numbers.add(new LeafEntries.Entry(2, 2, i));
                }
            }
            MadePages textPages = new MadePages(root.leaves().get(0), new Random(3));
            if (indexed) {
                textPages.addDictionary(List.of(large + 0, large + 1, large + 2));
            }
            textPages.addV1(texts);
            MadePages numberPages = new MadePages(root.leaves().get(1), new Random(3));
            numberPages.addV1(numbers);
            Column column =
                    new Column(
                            new NestedData.Field("c", new NestedData.Struct(List.of()), true),
                            root,
                            List.of(),
                            List.of());
            List<Integer> sizes = new ArrayList<>();
            try (NestedReader reader =
                    reader(column, List.of(textPages, numberPages), RowRanges.of(0, 40), 40)) {
                for (int row = 0; row < 40; ) {
                    while (!reader.read(40 - row)) {
                        assertThat(reader.waiting()).isCompleted();
                    }
                    try (ColumnVector vector = reader.take()) {
                        for (int i = 0; i < vector.size(); i++, row++) {
                            assertThat(Values.text(vector, root.field().type(), i))
                                    .startsWith("[{\"text\": \"x")
                                    .endsWith(
                                            "x%d\", \"n\": [%d, %d]}]"
                                                    .formatted(row % 3, row, row % 3));
                        }
                        sizes.add(vector.size());
                        assertThat(vector.bytes()).isLessThan(16L << 20);
                    }
                }
            }
            assertThat(sizes).hasSizeBetween(10, 20);
        }
    }
}
