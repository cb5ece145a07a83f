package io.spillway.operator.window;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spillway.batch.BatchStream;
import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import io.spillway.batch.Poll;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.expression.Expression;
import io.spillway.memory.MemoryReservation;
import io.spillway.operator.Streams;
import io.spillway.operator.key.SortKey;
import io.spillway.operator.sort.SortRig;
import io.spillway.operator.sort.SortTable;
import io.spillway.spill.FaultyDisk;
import io.spillway.spill.SpillManager;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Tag;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;
import org.jspecify.annotations.Nullable;

/** Windows over random tables against naive ones, with and without memory. */
class WindowOperatorTest {

    private static final long MEMORY = 64 << 20;

    /** What a hog leaves. */
    private static final long LEFT = 60_000;

    private static final ColumnType LONG = new ColumnType.Int(64, true);
    private static final ColumnType REAL = new ColumnType.FloatingPoint(64);

    private static final List<ColumnType> NUMBERS =
            List.of(
                    new ColumnType.Int(8, true),
                    new ColumnType.Int(32, true),
                    LONG,
                    new ColumnType.Int(64, false),
                    new ColumnType.FloatingPoint(32),
                    REAL,
                    new ColumnType.Decimal(9, 2),
                    new ColumnType.Decimal(38, 5));

    private static Path folder = Path.of("");

    @BeforeContainer
    static void makeFolder() throws IOException {
        folder = Files.createTempDirectory("window");
    }

    @AfterContainer
    static void folderIsEmpty() throws IOException {
        Files.deleteIfExists(folder.resolve(".lock"));
        Files.delete(folder);
    }

    private record Case(
            SortTable table,
            List<Integer> partition,
            List<SortKey> order,
            List<WindowCall> calls,
            long seed) {

        /** Columns: partition, order, a number, anything, the row's number. */
        static Case random(long seed, int maxRows) {
            Random random = new Random(seed);
            List<ColumnType> types = new ArrayList<>();
            types.add(new ColumnType.Int(8, true));
            types.add(
                    random.nextInt(3) == 0
                            ? new ColumnType.Timestamp(ColumnType.TimeUnit.MICRO, true)
                            : NUMBERS.get(random.nextInt(NUMBERS.size())));
            types.add(NUMBERS.get(random.nextInt(NUMBERS.size())));
            types.addAll(SortTable.types(1, random));
            SortTable table = SortTable.random(types, random.nextInt(maxRows), random);
            List<SortKey> order = new ArrayList<>();
            for (int c : new int[] {1, 3}) {
                if (random.nextInt(4) > 0) {
                    order.add(new SortKey(c, random.nextBoolean(), random.nextBoolean()));
                }
            }
            boolean range = order.size() == 1 && order.getFirst().column() == 1;
            List<WindowCall> calls = new ArrayList<>();
            for (int i = 1 + random.nextInt(5); i > 0; i--) {
                calls.add(call(types, range, random));
            }
            return new Case(
                    table, random.nextInt(3) > 0 ? List.of(0) : List.of(), order, calls, seed);
        }

        private static WindowCall call(List<ColumnType> types, boolean range, Random random) {
            WindowFunction[] all = WindowFunction.values();
            WindowFunction function = all[random.nextInt(all.length)];
            WindowFrame frame =
                    function.usesFrame()
                            ? frame(types.get(1), range, random)
                            : WindowFrame.PARTITION;
            int any = random.nextInt(types.size());
            List<Expression.Literal> parameter =
                    List.of(new Expression.Literal(LONG, String.valueOf(random.nextInt(4) + 1)));
            return switch (function) {
                case ROW_NUMBER, RANK, DENSE_RANK, COUNT_ROWS ->
                        new WindowCall(function, List.of(), frame, List.of(), LONG);
                case PERCENT_RANK, CUME_DIST ->
                        new WindowCall(function, List.of(), frame, List.of(), REAL);
                case NTILE -> new WindowCall(function, List.of(), frame, parameter, LONG);
                case LAG, LEAD ->
                        new WindowCall(
                                function,
                                random.nextBoolean() ? List.of(any) : List.of(any, any),
                                frame,
                                parameter,
                                types.get(any));
                case NTH_VALUE ->
                        new WindowCall(function, List.of(any), frame, parameter, types.get(any));
                case FIRST_VALUE, LAST_VALUE, MIN, MAX ->
                        new WindowCall(function, List.of(any), frame, List.of(), types.get(any));
                case COUNT -> new WindowCall(function, List.of(any), frame, List.of(), LONG);
                case AVG -> new WindowCall(function, List.of(2), frame, List.of(), REAL);
                case SUM ->
                        new WindowCall(
                                function,
                                List.of(2),
                                frame,
                                List.of(),
                                switch (types.get(2)) {
                                    case ColumnType.Decimal(int _, int scale) ->
                                            new ColumnType.Decimal(38, scale);
                                    case ColumnType.FloatingPoint _ -> REAL;
                                    case ColumnType _ -> LONG;
                                });
            };
        }

        private static WindowFrame frame(ColumnType key, boolean range, Random random) {
            WindowFrame.Unit unit =
                    random.nextBoolean() ? WindowFrame.Unit.ROWS : WindowFrame.Unit.RANGE;
            boolean offsets = unit == WindowFrame.Unit.ROWS || range;
            WindowFrame.Bound.Kind[] kinds = WindowFrame.Bound.Kind.values();
            while (true) {
                int start = random.nextInt(4);
                int end = 1 + random.nextInt(4);
                if (start <= end && (offsets || (start % 2 == 0 && end % 2 == 0))) {
                    return new WindowFrame(
                            unit,
                            bound(kinds[start], unit, key, random),
                            bound(kinds[end], unit, key, random));
                }
            }
        }

        private static WindowFrame.Bound bound(
                WindowFrame.Bound.Kind kind, WindowFrame.Unit unit, ColumnType key, Random random) {
            return switch (kind) {
                case UNBOUNDED_PRECEDING, CURRENT_ROW, UNBOUNDED_FOLLOWING ->
                        new WindowFrame.Bound(kind, null);
                case PRECEDING, FOLLOWING -> {
                    int offset = random.nextInt(5) * random.nextInt(30);
                    ColumnType type =
                            unit == WindowFrame.Unit.ROWS || key instanceof ColumnType.Timestamp
                                    ? LONG
                                    : key;
                    yield new WindowFrame.Bound(
                            kind, new Expression.Literal(type, String.valueOf(offset)));
                }
            };
        }

        RowSchema schema() {
            List<ColumnSchema> columns = new ArrayList<>(table.schema().columns());
            for (WindowCall call : calls) {
                columns.add(new ColumnSchema("w" + columns.size(), call.type(), true));
            }
            return new RowSchema(columns);
        }

        /** Null if a sum overflows. */
        @Nullable List<List<@Nullable Object>> expected() {
            List<List<@Nullable Object>> rows = new ArrayList<>();
            table.rows().forEach(row -> rows.add(new ArrayList<>(row)));
            try {
                for (WindowCall call : calls) {
                    List<@Nullable Object> values =
                            NaiveWindow.values(table, partition, order, call);
                    for (int i = 0; i < rows.size(); i++) {
                        rows.get(i).add(values.get(i));
                    }
                }
            } catch (NaiveWindow.Overflow e) {
                return null;
            }
            return rows;
        }

        BatchStream stream(SortRig rig, boolean hungry) {
            BatchStream input =
                    Streams.of(
                            table.schema(),
                            table.batches(40, new Random(seed), rig.pool().allocator()));
            return new WindowOperator(table.schema(), partition, order, calls, schema())
                    .over(List.of(input), rig.context(), hungry ? 3_000 : MEMORY);
        }
    }

    private static List<List<@Nullable Object>> run(Case of, boolean hungry, int parallelism) {
        try (SortRig rig = new SortRig(folder, MEMORY, parallelism, 64)) {
            MemoryReservation hog = rig.pool().tryAdmit(hungry ? MEMORY / 2 - (2 << 20) - LEFT : 0);
            List<RecordBatch> batches = new ArrayList<>();
            try (hog) {
                batches.addAll(Streams.drain(of.stream(rig, hungry)));
                return batches.stream().flatMap(batch -> Streams.rows(batch).stream()).toList();
            } finally {
                batches.forEach(RecordBatch::close);
                rig.settle();
            }
        }
    }

    @Property(tries = 100)
    void valuesAreThoseOfTheNaiveWindow(@ForAll long seed) {
        Case of = Case.random(seed, 300);
        List<List<@Nullable Object>> expected = of.expected();
        for (int way = 0; way < 2; way++) {
            boolean hungry = way == 1;
            if (expected == null) {
                assertThatThrownBy(() -> run(of, hungry, 2))
                        .isInstanceOfSatisfying(
                                SpillwayException.class,
                                e -> assertThat(e.code()).isEqualTo(ErrorCode.ARITHMETIC_OVERFLOW));
            } else {
                List<List<@Nullable Object>> rows = run(of, hungry, 1 + way);
                for (int c = 0; c < of.schema().size(); c++) {
                    int column = c;
                    assertThat(rows.stream().map(row -> row.get(column)).toList())
                            .as(
                                    "column %s of %s, partition %s, order %s, hungry %s",
                                    c, of.calls, of.partition, of.order, hungry)
                            .isEqualTo(expected.stream().map(row -> row.get(column)).toList());
                }
            }
        }
    }

    @Property(tries = 4)
    void closingAtAnyPollFreesEverything(@ForAll long seed) {
        Case of = Case.random(seed, 200);
        if (of.expected() == null) {
            return;
        }
        boolean ended = false;
        for (int polls = 0; !ended; polls += 1 + polls / 8) {
            try (SortRig rig = new SortRig(folder, MEMORY, 2, 64)) {
                MemoryReservation hog = rig.pool().tryAdmit(MEMORY / 2 - (2 << 20) - LEFT);
                try (BatchStream stream = of.stream(rig, true)) {
                    for (int i = 0; i < polls && !ended; i++) {
                        switch (stream.poll()) {
                            case Poll.Output<RecordBatch>(RecordBatch batch) -> batch.close();
                            case Poll.Blocked<RecordBatch> blocked -> blocked.until().join();
                            case Poll.Finished<RecordBatch> _ -> ended = true;
                        }
                    }
                }
                rig.settle();
                Objects.requireNonNull(hog).close();
            }
        }
    }

    @Property(tries = 2)
    void aFaultOfTheDiskIsACleanProblem(@ForAll long seed) {
        faults(seed, 8);
    }

    @Property(tries = 5)
    @Tag("long")
    void aFaultOfTheDiskAtAnyCallIsACleanProblem(@ForAll long seed) {
        faults(seed, Integer.MAX_VALUE);
    }

    private static void faults(long seed, int dense) {
        Case of = Case.random(seed, 200);
        List<List<@Nullable Object>> expected = of.expected();
        if (expected == null || !usesDisk(of)) {
            faults(seed + 1, dense);
            return;
        }
        for (FaultyDisk.Fault fault : FaultyDisk.Fault.values()) {
            faults(of, expected, fault, dense);
        }
    }

    private static boolean usesDisk(Case of) {
        try (SortRig rig = new SortRig(folder, MEMORY, 2, 64)) {
            Streams.drain(of.stream(rig, true)).forEach(RecordBatch::close);
            return rig.manager().written() > 0;
        }
    }

    private static void faults(
            Case of, List<List<@Nullable Object>> expected, FaultyDisk.Fault fault, int dense) {
        boolean struck = true;
        for (int n = 0; struck; n += 1 + n / dense) {
            FaultyDisk disk = new FaultyDisk(n, fault);
            SpillManager manager = disk.manager(folder);
            try (SortRig rig = new SortRig(manager, MEMORY, 2, 64)) {
                try {
                    assertRows(of, rig, expected);
                } catch (SpillwayException e) {
                    assertThat(e.code())
                            .isIn(
                                    ErrorCode.DISK_FULL,
                                    ErrorCode.WRITE_FAILED,
                                    ErrorCode.READ_FAILED);
                }
                struck = disk.hasStruck();
                rig.settle();
                manager.space("next", rig.pool()).close();
                assertThat(manager.files()).isZero();
                assertThat(manager.held()).isZero();
                assertThat(rig.pool().held()).isZero();
                disk.mended();
                assertRows(of, rig, expected);
            }
        }
    }

    private static void assertRows(Case of, SortRig rig, List<List<@Nullable Object>> expected) {
        List<RecordBatch> batches = new ArrayList<>();
        try {
            batches.addAll(Streams.drain(of.stream(rig, true)));
            assertThat(batches.stream().flatMap(batch -> Streams.rows(batch).stream()))
                    .containsExactlyElementsOf(expected);
        } finally {
            batches.forEach(RecordBatch::close);
        }
    }
}
