package io.spillway.web;

import java.util.List;
import org.springframework.http.HttpHeaders;

/** Header fields of answers that are prepared before it is known whether there are rows to send. */
final class AnswerFields {

    /** Number of rows of a stream that has come to its end. */
    static final String ROW_COUNT = "Spillway-Row-Count";

    /** Number of batches of a stream that has come to its end. */
    static final String BATCH_COUNT = "Spillway-Batch-Count";

    /** Number of the job's rows that no reader of batches or shards gets. */
    static final String DROPPED_ROWS = "Spillway-Dropped-Rows";

    /** Number of batches that a shard has, before the first one. */
    static final String BATCHES = "Spillway-Batches";

    /** Number of the first row that no shard has. */
    static final String REMAINDER_FIRST_ROW = "Spillway-Remainder-First-Row";

    /** How many rows no shard has. */
    static final String REMAINDER_ROWS = "Spillway-Remainder-Rows";

    /** Has whatever stands between server and client hand on what it gets at once. */
    static final String NO_BUFFERING = "X-Accel-Buffering";

    private static final List<String> PREPARED =
            List.of(
                    HttpHeaders.TRAILER,
                    HttpHeaders.LINK,
                    HttpHeaders.CONTENT_ENCODING,
                    HttpHeaders.CONTENT_LOCATION,
                    HttpHeaders.ETAG,
                    HttpHeaders.CACHE_CONTROL,
                    NO_BUFFERING,
                    DROPPED_ROWS,
                    BATCHES,
                    REMAINDER_FIRST_ROW,
                    REMAINDER_ROWS);

    private AnswerFields() {}

    /** Takes back what does not hold for an answer of another kind. */
    static void takeBack(HttpHeaders headers) {
        PREPARED.forEach(headers::remove);
    }
}
