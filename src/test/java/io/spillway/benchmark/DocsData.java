package io.spillway.benchmark;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;

/**
 * A data set in the shape of documents to be embedded: a number, a title, a text of some hundred
 * bytes, and a list of 64 floats. Words are skewed as in a language; values follow from the row's
 * number alone, so the same size always gives the same rows.
 */
final class DocsData {

    private static final int FILES = 4;

    private DocsData() {}

    /**
     * Makes the data set unless it is there already.
     *
     * @param folder where its four zstd files go
     * @param rows rows of all files together; a multiple of four
     * @return the files, in order
     */
    static List<Path> make(Path folder, long rows) throws IOException, SQLException {
        return DataFolder.make(folder, FILES, rows, "", DocsData::select);
    }

    private static String select(long first, long rows) {
        return """
        WITH
        -- 4,000 words of two to eight letters.
        vocabulary AS (
            SELECT list(word ORDER BY k) AS words
            FROM (SELECT k, substr(translate(md5(k::VARCHAR), '0123456789', 'aeioulnrst'), 1,
                (2 + k % 7)::INTEGER) AS word FROM range(4000) AS w(k)))
        SELECT
            i AS id,
            words[1 + (hash(i, 1) % 4000)::INTEGER] || ' ' || words[1 + (hash(i, 2) % 4000)::INTEGER]
                || ' ' || words[1 + (hash(i, 3) % 4000)::INTEGER] || ' #' || i % 9973 AS title,
            array_to_string(list_transform(range((60 + hash(i, 4) % 60)::BIGINT), lambda k:
                words[1 + floor(pow((hash(i, k) % 1000000) / 1000000.0, 2) * 4000)::INTEGER]
                || CASE WHEN k % 17 = 16 THEN '.' || chr(10) WHEN k % 29 = 28 THEN ', "é"'
                    ELSE '' END), ' ') AS text,
            list_transform(range(64), lambda k:
                (((hash(i, k + 1000) % 2000000)::BIGINT - 1000000) / 1000000.0)::FLOAT) AS embedding
        FROM range({first}, {end}) AS t(i), vocabulary
        ORDER BY i
        """
                .replace("{first}", Long.toString(first))
                .replace("{end}", Long.toString(first + rows));
    }
}
