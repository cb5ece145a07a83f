package io.spillway.encode;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnVector;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which columns are written as one. */
class FoldingTest {

    private static final int ROWS = 5000;
    private static final int PLAIN = -1;

    private final BufferAllocator allocator = new RootAllocator();

    @AfterEach
    void close() {
        allocator.close();
    }

    @Test
    void neighboursOfFewValuesAreOne() {
        assertThat(arranged("c", 2, 3, 100, 1)).containsExactly("0+1+2+3");
    }

    @Test
    void aColumnThatWouldMakeTooManyBeginsAnew() {
        assertThat(arranged("c", 90, 89, 5, 3)).containsExactly("0+1", "2+3");
        assertThat(arranged("c", 91, 90, 5)).containsExactly("0", "1+2");
    }

    @Test
    void columnsOfManyValuesAndPlainOnesStayAlone() {
        assertThat(arranged("c", 3, PLAIN, 4, 4200, 2, 5))
                .containsExactly("0", "1", "2", "3", "4+5");
    }

    @Test
    void nullsAloneJoinAnything() {
        assertThat(arranged("c", 0, 4200, 0)).containsExactly("0+1+2");
    }

    @Test
    void keysThatWouldMakeLongTextsDoNotJoin() {
        String name = "a name of thirty characters.. ";
        assertThat(arranged(name, 2, 2, 2, 2)).containsExactly("0+1", "2+3");
    }

    @Test
    void theSameDictionariesKeepTheirColumns() {
        List<ColumnSchema> columns = columns("c", 2);
        RowSchema schema = new RowSchema(columns);
        TextColumn[] singles = singles(columns);
        Folding folding = new Folding(singles, 10, new TextBudget(1 << 20));
        try (RecordBatch batch = batch(schema, 3, 4);
                RecordBatch slice = batch.slice(10, 20);
                RecordBatch other = batch(schema, 3, 4)) {
            TextColumn[] first = folding.arrange(batch);
            assertThat(folding.arrange(slice)).isSameAs(first);
            assertThat(folding.arrange(other)).isNotSameAs(first);
        }
    }

    /** So many pairs, and so long, that their table is given up while the rows are written. */
    @Test
    void textsThatAreTooManyGoByThemselves() {
        int radix = 89;
        int rows = radix * radix;
        RowSchema schema = new RowSchema(columns("a name of 25 characters..", 2));
        List<@Nullable Object> first = new ArrayList<>();
        List<@Nullable Object> second = new ArrayList<>();
        for (int r = 0; r < 2 * rows; r++) {
            first.add(100_000_000L + r / radix % radix);
            second.add(100_000_000L + r % radix);
        }
        try (Encoding encoding = new Encoding();
                RecordBatch plain =
                        Vectors.batch(
                                schema,
                                List.of(
                                        Vectors.plain(schema.column(0), first, encoding.allocator),
                                        Vectors.plain(
                                                schema.column(1), second, encoding.allocator)));
                RecordBatch encoded =
                        Vectors.batch(
                                schema,
                                List.of(
                                        Vectors.encoded(
                                                schema.column(0), first, encoding.allocator),
                                        Vectors.encoded(
                                                schema.column(1), second, encoding.allocator)))) {
            byte[] text = encoding.all(schema, Encoding.LINES, plain);
            assertThat(encoding.all(schema, Encoding.LINES, encoded)).isEqualTo(text);
        }
    }

    private List<String> arranged(String name, int... distinct) {
        List<ColumnSchema> columns = columns(name, distinct.length);
        TextColumn[] singles = singles(columns);
        Folding folding = new Folding(singles, 10, new TextBudget(1 << 20));
        try (RecordBatch batch = batch(new RowSchema(columns), distinct)) {
            List<String> result = new ArrayList<>();
            TextColumn[] arranged = folding.arrange(batch);
            for (int i = 0; i < arranged.length; i++) {
                int end = i + 1 < arranged.length ? arranged[i + 1].index : singles.length;
                List<String> members = new ArrayList<>();
                for (int m = arranged[i].index; m < end; m++) {
                    members.add(Integer.toString(m));
                }
                assertThat(arranged[i] instanceof FoldedColumns).isEqualTo(members.size() > 1);
                result.add(String.join("+", members));
            }
            return result;
        }
    }

    private static List<ColumnSchema> columns(String name, int count) {
        List<ColumnSchema> columns = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            columns.add(Encoding.column(name + i, "int64"));
        }
        return columns;
    }

    private static TextColumn[] singles(List<ColumnSchema> columns) {
        JsonSyntax syntax = JsonSyntax.of(new RowSchema(columns), Encoding.LINES);
        TextBudget budget = new TextBudget(1 << 20);
        TextColumn[] singles = new TextColumn[columns.size()];
        for (int i = 0; i < singles.length; i++) {
            singles[i] = new FlatColumn(i, syntax.key(i), 10, syntax.flat(columns.get(i)), budget);
        }
        return singles;
    }

    /** A column for each number of distinct values; with none, all values are null. */
    private RecordBatch batch(RowSchema schema, int... distinct) {
        List<ColumnVector> vectors = new ArrayList<>();
        for (int i = 0; i < distinct.length; i++) {
            @Nullable Object[] values = new @Nullable Object[ROWS];
            for (int r = 0; r < ROWS && distinct[i] != 0; r++) {
                values[r] = (long) (r % Math.abs(distinct[i]));
            }
            vectors.add(
                    distinct[i] == PLAIN
                            ? Vectors.plain(schema.column(i), Arrays.asList(values), allocator)
                            : Vectors.encoded(schema.column(i), Arrays.asList(values), allocator));
        }
        return Vectors.batch(schema, vectors);
    }
}
