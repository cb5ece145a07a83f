package io.spillway.expression;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.batch.ColumnType;
import io.spillway.batch.ColumnVector;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.jspecify.annotations.Nullable;

/** Random expressions over random batches, against {@link ReferenceEvaluator}, row by row. */
class ExpressionPropertyTest {

    /** Single rows mostly have a value; of a hundred, some row raises an error in most batches. */
    private static final int[] SIZES = {0, 1, 2, 5, 5, 20, 100};

    /** Rows as the batches of a test hold them, in plain or encoded columns. */
    private record Rows(List<List<@Nullable Object>> rows) {

        List<@Nullable Object> column(int index) {
            List<@Nullable Object> values = new ArrayList<>();
            rows.forEach(r -> values.add(r.get(index)));
            return values;
        }
    }

    @Property(tries = 150)
    void kernelsAgreeWithTheDefinitions(@ForAll long seed) {
        Random random = new Random(seed);
        List<ColumnType> types = RandomExpressions.COLUMNS;
        ColumnType type =
                random.nextBoolean()
                        ? RandomExpressions.BOOL
                        : types.get(random.nextInt(types.size()));
        Expression expression = new RandomExpressions(random, types).of(type, 4);
        RowSchema schema = TestValues.schema(types.toArray(new ColumnType[0]));
        try (BufferAllocator allocator = new RootAllocator();
                VectorExpression compiled = ExpressionCompiler.compile(expression, schema)) {
            boolean encoded = random.nextInt(3) != 0;
            for (int batch = 0; batch < 3; batch++) {
                Rows rows = rows(types, SIZES[random.nextInt(SIZES.length)], random);
                try (RecordBatch input = batch(schema, rows, encoded, random, allocator)) {
                    check(expression, compiled, input, rows, allocator);
                    // The same dictionaries again: now large ones pay too.
                    check(expression, compiled, input, rows, allocator);
                    if (type instanceof ColumnType.Bool) {
                        checkPredicate(expression, input, rows, allocator);
                    }
                }
            }
        }
    }

    private static void check(
            Expression expression,
            VectorExpression compiled,
            RecordBatch input,
            Rows rows,
            BufferAllocator allocator) {
        List<@Nullable Object> expected = new ArrayList<>();
        Set<ErrorCode> errors = reference(expression, rows, expected);
        try (ColumnVector result = compiled.evaluate(input, allocator)) {
            assertThat(errors).isEmpty();
            assertThat(compiled.type().isNested() && result instanceof ColumnVector.Encoded)
                    .isFalse();
            List<@Nullable Object> values = TestValues.values(compiled.type(), result);
            for (int i = 0; i < expected.size(); i++) {
                assertThat(values.get(i))
                        .as("%s for %s", expression, rows.rows().get(i))
                        .isEqualTo(expected.get(i));
            }
            assertThat(values).hasSameSizeAs(expected);
        } catch (SpillwayException e) {
            assertThat(errors).as(e.getMessage()).contains(e.code());
        }
    }

    private static void checkPredicate(
            Expression expression, RecordBatch input, Rows rows, BufferAllocator allocator) {
        List<@Nullable Object> expected = new ArrayList<>();
        Set<ErrorCode> errors = reference(expression, rows, expected);
        try (VectorPredicate predicate = ExpressionCompiler.predicate(expression, input.schema())) {
            Selection selection = predicate.select(input, allocator);
            assertThat(errors).isEmpty();
            List<Integer> selected = new ArrayList<>();
            for (int i = 0; i < selection.count(); i++) {
                selected.add(selection.row(i));
            }
            List<Integer> wanted = new ArrayList<>();
            for (int i = 0; i < expected.size(); i++) {
                if (Boolean.TRUE.equals(expected.get(i))) {
                    wanted.add(i);
                }
            }
            assertThat(selected).isEqualTo(wanted);
        } catch (SpillwayException e) {
            assertThat(errors).as(e.getMessage()).contains(e.code());
        }
    }

    private static Set<ErrorCode> reference(
            Expression expression, Rows rows, List<@Nullable Object> values) {
        Set<ErrorCode> errors = EnumSet.noneOf(ErrorCode.class);
        for (List<@Nullable Object> row : rows.rows()) {
            try {
                values.add(new ReferenceEvaluator(row).evaluate(expression));
            } catch (ReferenceEvaluator.Raised e) {
                errors.add(e.code());
            }
        }
        return errors;
    }

    private static Rows rows(List<ColumnType> types, int count, Random random) {
        List<List<@Nullable Object>> rows = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            List<@Nullable Object> row = new ArrayList<>();
            for (ColumnType type : types) {
                row.add(random.nextInt(5) == 0 ? null : RandomValues.value(type, random));
            }
            rows.add(row);
        }
        return new Rows(rows);
    }

    private static RecordBatch batch(
            RowSchema schema,
            Rows rows,
            boolean encoded,
            Random random,
            BufferAllocator allocator) {
        List<ColumnVector> columns = new ArrayList<>();
        for (int i = 0; i < schema.size(); i++) {
            ColumnType type = schema.column(i).type();
            List<Object> unused = new ArrayList<>();
            for (int n = random.nextInt(4) == 0 ? 30 : random.nextInt(4); n > 0; n--) {
                unused.add(RandomValues.value(type, random));
            }
            columns.add(
                    encoded && !type.isNested() && random.nextInt(4) != 0
                            ? TestValues.encoded(type, rows.column(i), unused, random, allocator)
                            : TestValues.plain(type, rows.column(i), allocator));
        }
        return new RecordBatch(schema, columns, rows.rows().size());
    }
}
