package io.spillway.encode;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import io.spillway.batch.ColumnVector;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/** Rows in the shape of taxi trips: 19 columns, most of few values, amounts of two decimals. */
final class TripsData {

    static final RowSchema SCHEMA =
            new RowSchema(
                    List.of(
                            column("VendorID", "int32"),
                            column("tpep_pickup_datetime", "timestamp(us)"),
                            column("tpep_dropoff_datetime", "timestamp(us)"),
                            column("passenger_count", "int64"),
                            column("trip_distance", "float64"),
                            column("RatecodeID", "int64"),
                            column("store_and_fwd_flag", "utf8"),
                            column("PULocationID", "int32"),
                            column("DOLocationID", "int32"),
                            column("payment_type", "int64"),
                            column("fare_amount", "float64"),
                            column("extra", "float64"),
                            column("mta_tax", "float64"),
                            column("tip_amount", "float64"),
                            column("tolls_amount", "float64"),
                            column("improvement_surcharge", "float64"),
                            column("total_amount", "float64"),
                            column("congestion_surcharge", "float64"),
                            column("Airport_fee", "float64")));

    private static final long START = 1_704_067_200_000_000L;

    private TripsData() {}

    private static ColumnSchema column(String name, String type) {
        return new ColumnSchema(name, ColumnType.parse(type), true);
    }

    /**
     * @param dictionary whether columns of few values are dictionary-encoded; the two timestamps
     *     never are
     */
    static RecordBatch batch(int rows, boolean dictionary, BufferAllocator allocator) {
        List<List<@Nullable Object>> columns = new ArrayList<>();
        for (int c = 0; c < SCHEMA.size(); c++) {
            columns.add(new ArrayList<>(rows));
        }
        SplittableRandom random = new SplittableRandom(42);
        for (int i = 0; i < rows; i++) {
            @Nullable Object[] row = row(i, random);
            for (int c = 0; c < row.length; c++) {
                columns.get(c).add(row[c]);
            }
        }
        List<ColumnVector> vectors = new ArrayList<>();
        for (int c = 0; c < SCHEMA.size(); c++) {
            ColumnSchema schema = SCHEMA.column(c);
            boolean encoded = dictionary && !(schema.type() instanceof ColumnType.Timestamp);
            vectors.add(
                    encoded
                            ? Vectors.encoded(schema, columns.get(c), allocator)
                            : Vectors.plain(schema, columns.get(c), allocator));
        }
        return Vectors.batch(SCHEMA, vectors);
    }

    private static @Nullable Object[] row(int i, SplittableRandom random) {
        double r = random.nextDouble();
        boolean unknown = random.nextDouble() < 0.045;
        double distance = Math.min(round(-Math.log(1 - random.nextDouble()) * 2.6 + 0.3), 60);
        double fare = round(3 + Math.rint((distance * 3.1 + r * 4) / 0.7) * 0.7);
        long payment = r < 0.8 ? 1 : r < 0.96 ? 2 : r < 0.98 ? 3 : 4;
        double extra = r < 0.45 ? 0 : r < 0.7 ? 2.5 : r < 0.9 ? 1 : r < 0.95 ? 3.5 : 5;
        double tolls = random.nextDouble() < 0.92 ? 0 : r < 0.9 ? 6.94 : round(r * 30);
        double tip = payment == 1 ? round((fare + extra + 4) * (r < 0.6 ? 0.2 : r * 0.3)) : 0;
        long pickup =
                START + i * 2_600_000L / 1_000_000 * 1_000_000 + 1_000_000 * (long) (r * 3600);
        long ride = 1_000_000 * (long) (60 + distance * 180 + r * 900);
        double sum = round(fare + extra + 0.5 + tolls + 1 + 2.5 + tip);
        return new @Nullable Object[] {
            r < 0.74 ? 2L : 1L,
            pickup,
            pickup + ride,
            unknown ? null : (Object) (r < 0.75 ? 1L : 2L + (long) (r * 60) % 5),
            distance,
            unknown ? null : (Object) (r < 0.95 ? 1L : 2L),
            unknown ? null : (r < 0.995 ? "N" : "Y").getBytes(StandardCharsets.UTF_8),
            1 + (long) (Math.pow(random.nextDouble(), 1.5) * 264),
            1 + (long) (Math.pow(random.nextDouble(), 1.3) * 264),
            payment,
            fare,
            extra,
            0.5,
            tip,
            tolls,
            1.0,
            sum,
            unknown ? null : (Object) (r < 0.92 ? 2.5 : 0.0),
            unknown ? null : (Object) (r < 0.9 ? 0.0 : 1.75)
        };
    }

    private static double round(double value) {
        return Math.rint(value * 100) / 100;
    }
}
