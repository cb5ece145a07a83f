package io.spillway.scan.parquet.column;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.batch.ColumnVector;
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
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.jspecify.annotations.Nullable;

/** Flat columns of pages of any kind give the rows that are wanted, and no others. */
class ColumnReaderTest {

    private static final Place PLACE = new Place("file:///f", 0, "c");

    private final MemoryPool pool = MemoryPool.root(1L << 28);

    @AfterTry
    void nothingIsLeft() {
        assertThat(pool.held()).isZero();
    }

    @AfterProperty
    void close() {
        pool.close();
    }

    @Property(tries = 200)
    void readsPagesOfAnyKind(
            @ForAll long seed,
            @ForAll @IntRange(min = 1, max = 400) int rowCount,
            @ForAll @IntRange(min = 1, max = 60) int batchRows) {
        Random random = new Random(seed);
        NestedData data =
                new NestedData(seed, List.of(PrimitiveTypeName.INT32, PrimitiveTypeName.BINARY));
        NestedData.Field field = data.column("c", 0);
        List<@Nullable Object> rows = new ArrayList<>();
        for (int i = 0; i < rowCount; i++) {
            rows.add(data.value(field));
        }
        ColumnNode.Leaf leaf = (ColumnNode.Leaf) NestedTypes.of(NestedData.parquet(field), 0);
        RowRanges wanted = MadePages.wanted(rowCount, random);
        MadePages pages =
                MadePages.of(leaf, LeafEntries.of(field, rows).getFirst(), wanted, random);
        List<@Nullable String> expected = new ArrayList<>();
        for (int row = 0; row < rowCount; row++) {
            if (wanted.overlaps(row, row + 1L)) {
                expected.add(NestedData.text(field, rows.get(row)));
            }
        }

        ValueDecoder decoder =
                ValueDecoders.of(leaf.field(), leaf.physical(), 0, pool.allocator(), PLACE);
        List<@Nullable String> actual = new ArrayList<>();
        try (ColumnReader reader =
                new ColumnReader(
                        pages,
                        decoder,
                        pool.allocator(),
                        leaf.presentAt() > 0,
                        WantedRows.of(wanted),
                        PLACE)) {
            while (actual.size() < wanted.count()) {
                int most = (int) Math.min(batchRows, wanted.count() - actual.size());
                while (!reader.read(most)) {
                    assertThat(reader.waiting()).isCompleted();
                }
                try (ColumnVector vector = reader.take()) {
                    assertThat(vector.size()).isBetween(1, most);
                    for (int i = 0; i < vector.size(); i++) {
                        actual.add(Values.text(vector, leaf.field().type(), i));
                    }
                }
            }
        }
        assertThat(actual).isEqualTo(expected);
    }
}
