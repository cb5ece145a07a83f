package io.spillway.scan.parquet;

import io.spillway.error.ErrorCode;
import java.util.List;

/** The right answer to reading a whole file, and where it is known from. */
sealed interface Expectation {

    /** All columns have the values that DuckDB reads in the same run. */
    record LikeDuckDb(int rows) implements Expectation {}

    /** All columns have the values of another file of the suite. */
    record LikeFile(int rows, String other) implements Expectation {}

    /** All columns have the values of the text file that lies beside the file. */
    record LikeCsv(int rows) implements Expectation {}

    /**
     * Columns are pairs of equal values, written in two ways; the columns of the first way are
     * named with the one ending, those of the second with the other.
     */
    record LikeTwins(int rows, String first, String second) implements Expectation {}

    /**
     * These values, worked out by hand.
     *
     * @param rows in the form of {@link Values}, with "null" for null
     */
    record Exactly(List<List<String>> rows) implements Expectation {}

    /**
     * Some columns are encrypted, which is the reason that is told to whoever asks for them.
     *
     * @param columns some or all of the others
     * @param encrypted all that cannot be read
     * @param rows of {@code columns}, in the form of {@link Values}, with "null" for null
     */
    record Partly(List<String> columns, List<String> encrypted, List<List<String>> rows)
            implements Expectation {}

    /**
     * A typed failure before any row.
     *
     * @param saying a part of the message, which tells the reason
     */
    record Fails(ErrorCode code, String saying) implements Expectation {}

    /** What a reader of the table wants to know first. */
    default String answer() {
        return switch (this) {
            case LikeDuckDb(int rows) -> rows(rows);
            case LikeFile(int rows, _) -> rows(rows);
            case LikeCsv(int rows) -> rows(rows);
            case LikeTwins(int rows, _, _) -> rows(rows);
            case Exactly(var rows) -> rows(rows.size());
            case Partly(_, _, var rows) ->
                    rows(rows.size()) + "; `file-not-supported` for the encrypted columns";
            case Fails(ErrorCode code, _) -> "`" + code.slug() + "`";
        };
    }

    /** Where the answer is known from. */
    default String source() {
        return switch (this) {
            case LikeDuckDb _ -> "all values as DuckDB reads them";
            case LikeFile(_, String other) -> "all values as in `" + other + "`";
            case LikeCsv _ -> "all values as in the text file beside it";
            case LikeTwins(_, String first, String second) ->
                    "columns `*" + first + "` equal columns `*" + second + "`";
            case Exactly _, Partly _ -> "all values worked out by hand";
            case Fails(_, String saying) -> "says \"" + saying + "\"";
        };
    }

    private static String rows(int count) {
        return count == 1 ? "1 row" : "%,d rows".formatted(count);
    }
}
