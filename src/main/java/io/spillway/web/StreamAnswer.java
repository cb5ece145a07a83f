package io.spillway.web;

import io.spillway.job.Reading;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;

/**
 * A stream of rows that is to be sent.
 *
 * @param media its form, which is no stream of events
 * @param reading what is read, in that form
 * @param patience how long the first row may take
 * @param trailerNames the fields that follow a stream which has come to its end
 * @param trailers their values, by the number of rows that the stream had
 */
record StreamAnswer(
        RowMedia media,
        Reading reading,
        Duration patience,
        List<String> trailerNames,
        LongFunction<Map<String, String>> trailers) {

    /** A stream of rows alone. */
    static StreamAnswer ofRows(RowMedia media, Reading reading, Duration patience) {
        return new StreamAnswer(
                media,
                reading,
                patience,
                List.of(AnswerFields.ROW_COUNT),
                rows -> Map.of(AnswerFields.ROW_COUNT, Long.toString(rows)));
    }
}
