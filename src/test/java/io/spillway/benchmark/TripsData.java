package io.spillway.benchmark;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * A data set in the shape of New York's yellow taxi trips: 19 columns of integers, doubles,
 * timestamps and a flag, with their usual few distinct values, skew and nulls. Values follow from
 * the row's number alone, so the same size always gives the same rows.
 */
public final class TripsData {

    private static final int FILES = 8;

    private TripsData() {}

    /** How values stand in the files. */
    enum Form {
        /** In dictionaries wherever the writer finds them worth it. */
        DICTIONARIES(""),
        /** Never in dictionaries. */
        PLAIN(", DICTIONARY_SIZE_LIMIT 0");

        private final String option;

        Form(String option) {
            this.option = option;
        }
    }

    /**
     * Makes the data set unless it is there already.
     *
     * @param folder where its eight zstd files go
     * @param rows rows of all files together; a multiple of eight
     * @return the files, in order
     */
    public static List<Path> make(Path folder, long rows, Form form)
            throws IOException, SQLException {
        return DataFolder.make(folder, FILES, rows, form.option, TripsData::select);
    }

    private static String select(long first, long rows) {
        List<String> uniform = new ArrayList<>();
        for (int k = 1; k <= 11; k++) {
            uniform.add("(hash(i, %d) >> 11)::DOUBLE / 9007199254740992 AS u%d".formatted(k, k));
        }
        return """
        WITH
        -- Numbers in [0, 1) that follow from the row's.
        uniform AS (
            SELECT i, {uniform} FROM range({first}, {end}) AS t(i)),
        trip AS (
            SELECT *,
                least(round(-ln(1 - u1) * 2.6 + 0.3, 2), 60.0)::DOUBLE AS distance,
                u9 < 0.045 AS unknown,
                CASE WHEN u3 < 0.80 THEN 1 WHEN u3 < 0.96 THEN 2 WHEN u3 < 0.98 THEN 3
                    ELSE 4 END AS payment,
                CASE WHEN u4 < 0.45 THEN 0.0 WHEN u4 < 0.70 THEN 2.5 WHEN u4 < 0.90 THEN 1.0
                    WHEN u4 < 0.95 THEN 3.5 ELSE 5.0 END::DOUBLE AS surcharge,
                CASE WHEN u5 < 0.920 THEN 0.0 WHEN u5 < 0.985 THEN 6.94 WHEN u5 < 0.990 THEN 12.75
                    ELSE round(u6 * 30, 2) END::DOUBLE AS tolls,
                epoch_us(TIMESTAMP '2024-01-01') + (i * 2600000) // 1000000 * 1000000
                    + (u8 * 3600)::BIGINT * 1000000 AS pickup
            FROM uniform),
        priced AS (
            SELECT *, round(3.0 + round((distance * 3.1 + u2 * 4) / 0.7) * 0.7, 2)::DOUBLE AS fare
            FROM trip),
        tipped AS (
            SELECT *,
                CASE WHEN payment = 1 AND u6 > 0.05 THEN round((fare + surcharge + 4.0)
                    * CASE WHEN u6 < 0.65 THEN 0.20 WHEN u6 < 0.75 THEN 0.25 ELSE u2 * 0.3 END, 2)
                    ELSE 0.0 END::DOUBLE AS tip
            FROM priced)
        SELECT
            CASE WHEN u7 < 0.74 THEN 2 ELSE 1 END::INTEGER AS "VendorID",
            make_timestamp(pickup) AS tpep_pickup_datetime,
            make_timestamp(pickup + (60 + distance * 180 + u2 * 900)::BIGINT * 1000000)
                AS tpep_dropoff_datetime,
            CASE WHEN unknown THEN NULL WHEN u10 < 0.75 THEN 1 WHEN u10 < 0.90 THEN 2
                ELSE (u10 * 60)::BIGINT % 7 END::BIGINT AS passenger_count,
            distance AS trip_distance,
            CASE WHEN unknown THEN NULL WHEN u5 < 0.95 THEN 1 WHEN u5 < 0.99 THEN 2
                ELSE 5 END::BIGINT AS "RatecodeID",
            CASE WHEN unknown THEN NULL WHEN u6 < 0.995 THEN 'N' ELSE 'Y' END
                AS store_and_fwd_flag,
            (1 + floor(pow(u11, 1.5) * 264))::INTEGER AS "PULocationID",
            (1 + floor(pow(u10 * 0.5 + u11 * 0.5, 1.3) * 264))::INTEGER AS "DOLocationID",
            payment::BIGINT AS payment_type,
            fare AS fare_amount,
            surcharge AS extra,
            0.5::DOUBLE AS mta_tax,
            tip AS tip_amount,
            tolls AS tolls_amount,
            1.0::DOUBLE AS improvement_surcharge,
            round(fare + surcharge + tip + tolls + 4.0, 2)::DOUBLE AS total_amount,
            CASE WHEN unknown THEN NULL WHEN u7 < 0.92 THEN 2.5 ELSE 0.0 END::DOUBLE
                AS congestion_surcharge,
            CASE WHEN unknown THEN NULL WHEN u4 < 0.90 THEN 0.0 ELSE 1.75 END::DOUBLE
                AS "Airport_fee"
        FROM tipped
        ORDER BY i
        """
                .replace("{uniform}", String.join(", ", uniform))
                .replace("{first}", Long.toString(first))
                .replace("{end}", Long.toString(first + rows));
    }
}
