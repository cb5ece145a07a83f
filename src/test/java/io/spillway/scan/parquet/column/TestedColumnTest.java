package io.spillway.scan.parquet.column;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.batch.ColumnType;
import io.spillway.batch.ColumnVector;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.expression.Expression;
import io.spillway.expression.ExpressionCompiler;
import io.spillway.expression.Function;
import io.spillway.expression.VectorPredicate;
import io.spillway.memory.MemoryPool;
import io.spillway.scan.ScanFormat;
import io.spillway.scan.parquet.MadePages;
import io.spillway.scan.parquet.NestedData;
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
import org.apache.arrow.vector.BitVector;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.jspecify.annotations.Nullable;

/** What a condition says of a column of pages of any kind is what it says of the column's rows. */
class TestedColumnTest {

    private static final Place PLACE = new Place("file:///f", 0, "c");
    private static final ColumnType BOOL = new ColumnType.Bool();

    private final MemoryPool pool = MemoryPool.root(1L << 28);

    @AfterTry
    void nothingIsLeft() {
        assertThat(pool.held()).isZero();
    }

    @AfterProperty
    void close() {
        pool.close();
    }

    /** Conditions that nulls pass, conditions that they do not, and those that all or none pass. */
    private static Expression condition(ColumnType type, Random random) {
        Expression column = new Expression.Column(0, type);
        Expression middle =
                new Expression.Literal(type, type instanceof ColumnType.Utf8 ? "m" : "7");
        Expression above = call(Function.GREATER, column, middle);
        return switch (random.nextInt(6)) {
            case 0 -> above;
            case 1 -> call(Function.NOT, above);
            case 2 -> call(Function.IS_NULL, column);
            case 3 -> call(Function.IS_NOT_NULL, column);
            case 4 -> call(Function.IS_NOT_TRUE, above);
            default -> call(Function.OR, call(Function.IS_NULL, column), above);
        };
    }

    private static Expression call(Function function, Expression... arguments) {
        return new Expression.Call(function, List.of(arguments), BOOL);
    }

    @Property(tries = 300)
    void saysOfPagesWhatItSaysOfRows(
            @ForAll long seed,
            @ForAll @IntRange(min = 1, max = 1_000) int rowCount,
            @ForAll @IntRange(min = 1, max = 300) int batchRows) {
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
        List<LeafEntries.Entry> entries = LeafEntries.of(field, rows).getFirst();
        RowSchema schema = new RowSchema(List.of(leaf.field()));
        Expression condition = condition(leaf.field().type(), random);
        boolean optional = leaf.presentAt() > 0;
        long pages = random.nextLong();

        List<Boolean> expected = new ArrayList<>();
        List<Boolean> actual = new ArrayList<>();
        try (VectorPredicate compiled = ExpressionCompiler.predicate(condition, schema);
                ColumnSource values =
                        new ColumnReader(
                                MadePages.of(leaf, entries, wanted, new Random(pages)),
                                decoder(leaf),
                                pool.allocator(),
                                optional,
                                WantedRows.of(wanted),
                                PLACE);
                ColumnSource tested =
                        new TestedColumn(
                                MadePages.of(leaf, entries, wanted, new Random(pages)),
                                decoder(leaf),
                                compiled,
                                schema,
                                pool.allocator(),
                                optional,
                                WantedRows.of(wanted),
                                PLACE)) {
            assertThat(compiled.isTotal()).isTrue();
            while (expected.size() < wanted.count()) {
                try (RecordBatch batch = next(values, schema, wanted, expected, batchRows)) {
                    long[] yes = compiled.bits(batch, pool.allocator());
                    for (int i = 0; i < batch.rowCount(); i++) {
                        expected.add((yes[i / 64] >>> i & 1) != 0);
                    }
                }
            }
            while (actual.size() < wanted.count()) {
                try (RecordBatch batch =
                        next(tested, ScanFormat.TRUTH, wanted, actual, batchRows)) {
                    BitVector truth = (BitVector) ((ColumnVector.Plain) batch.column(0)).vector();
                    assertThat(truth.getNullCount()).isZero();
                    for (int i = 0; i < batch.rowCount(); i++) {
                        actual.add(truth.get(i) != 0);
                    }
                }
            }
        }
        assertThat(actual).isEqualTo(expected);
    }

    private ValueDecoder decoder(ColumnNode.Leaf leaf) {
        return ValueDecoders.of(leaf.field(), leaf.physical(), 0, pool.allocator(), PLACE);
    }

    private static RecordBatch next(
            ColumnSource source, RowSchema schema, RowRanges wanted, List<?> before, int rows) {
        int most = (int) Math.min(rows, wanted.count() - before.size());
        while (!source.read(most)) {
            assertThat(source.waiting()).isCompleted();
        }
        ColumnVector column = source.take();
        assertThat(column.size()).isBetween(1, most);
        return new RecordBatch(schema, List.of(column), column.size());
    }
}
