package io.spillway.delivery.body;

import io.spillway.testing.ParquetFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file with a text that is not UTF-8, as other writers make them. */
final class BadText {

    static final int ROWS = 5_000;

    /** The row that has it. */
    static final int ROW = 2_345;

    private static final String MARK = "mark-of-the-row";

    private BadText() {}

    static Path write(Path folder) {
        Path file =
                ParquetFiles.write(
                        folder.resolve("bad.parquet"),
                        """
                        SELECT i AS id, CASE WHEN i = %d THEN '%s' ELSE 'text ' || i END AS text
                        FROM range(0, %d) AS t(i)
                        """
                                .formatted(ROW, MARK, ROWS),
                        "ROW_GROUP_SIZE 2048, COMPRESSION uncompressed");
        try {
            byte[] bytes = Files.readAllBytes(file);
            String latin = new String(bytes, StandardCharsets.ISO_8859_1);
            for (int at = latin.indexOf(MARK); at >= 0; at = latin.indexOf(MARK, at + 1)) {
                bytes[at + 3] = (byte) 0xff;
            }
            Files.write(file, bytes);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return file;
    }
}
