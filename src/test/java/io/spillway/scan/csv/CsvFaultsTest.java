package io.spillway.scan.csv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.scan.text.TextScans;
import io.spillway.scan.text.TextSettings;
import io.spillway.storage.FileStatus;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** CSV files that are not what they should be are refused by file and line, before any row. */
class CsvFaultsTest {

    @TempDir Path folder;

    private static void refused(
            TextScans scans, FileStatus file, ErrorCode code, long line, String message) {
        assertThatExceptionOfType(SpillwayException.class)
                .isThrownBy(() -> scans.schema(file))
                .satisfies(
                        e -> {
                            assertThat(e.code()).as(e.getMessage()).isEqualTo(code);
                            assertThat(e.context())
                                    .containsEntry("file", file.uri())
                                    .containsEntry("line", line);
                        })
                .withMessageContaining(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    a,b~1,2~3~                | 3 | has 1 field, not 2
                    a,b~1,2~"x~y",2~3,4,5~    | 5 | has 3 fields, not 2
                    a,b~1,2~3,"4~             | 3 | does not end
                    a,b~1,2~3,x"y~            | 3 | a quote inside a field
                    a,b~1,2~3,"x"y~           | 3 | between the end of a quoted field
                    a,b~1,2~3^4,5~            | 3 | carriage return
                    a,b~1,2~3,@~              | 3 | NUL
                    `""`                      | 1 | no name for column 1
                    a,b,a~1,2,3~              | 1 | a second time
                    a,,b~1,2,3~               | 1 | no name for column 2
                    PAR1,b~1,2~               | 1 | another format
                    """)
    void whatIsNoRecordIsRefused(String text, long line, String message) {
        for (int partition : new int[] {1, 1 << 20}) {
            try (TextScans scans = new TextScans(folder, CsvSyntax.DEFAULT, partition)) {
                FileStatus file =
                        scans.write(text.replace('~', '\n').replace('^', '\r').replace('@', '\0'));
                ErrorCode code =
                        message.contains("name") || message.contains("second time")
                                ? ErrorCode.SCHEMA_MISMATCH
                                : ErrorCode.FILE_CORRUPT;
                refused(scans, file, code, line, message);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\uFEFF", "\n\n", "\r\n"})
    void aFileWithoutAHeaderIsRefused(String text) {
        try (TextScans scans = new TextScans(folder, CsvSyntax.DEFAULT, 100)) {
            refused(scans, scans.write(text), ErrorCode.FILE_CORRUPT, 1, "without a header");
        }
    }

    @Test
    void aHeaderAloneIsATableWithoutRows() {
        try (TextScans scans = new TextScans(folder, CsvSyntax.DEFAULT, 100)) {
            for (String text : List.of("a,b", "a,b\n", "\"a\",b\r\n\r\n")) {
                FileStatus file = scans.write(text);
                assertThat(scans.schema(file).names()).containsExactly("a", "b");
                assertThat(scans.rows(file, 1)).isEmpty();
            }
        }
    }

    @Test
    void whatIsNotUtf8IsRefused() {
        try (TextScans scans = new TextScans(folder, CsvSyntax.DEFAULT, 10)) {
            byte[] latin = "a,b\n1,2\n3,caf\u00e9\n".getBytes(StandardCharsets.ISO_8859_1);
            refused(scans, scans.write(latin), ErrorCode.FILE_CORRUPT, 3, "0xE9");
            byte[] utf16 = "\uFEFFa,b\n1,2\n".getBytes(StandardCharsets.UTF_16LE);
            refused(scans, scans.write(utf16), ErrorCode.FILE_NOT_SUPPORTED, 1, "UTF-16");
            for (int[] bytes :
                    List.of(
                            new int[] {0xC0, 0x80},
                            new int[] {0xED, 0xA0, 0x80},
                            new int[] {0xF4, 0x90, 0x80, 0x80},
                            new int[] {0xE2, 0x82})) {
                byte[] text = "a\nx\n".getBytes(StandardCharsets.US_ASCII);
                byte[] all = java.util.Arrays.copyOf(text, text.length + bytes.length);
                for (int i = 0; i < bytes.length; i++) {
                    all[text.length + i] = (byte) bytes[i];
                }
                refused(scans, scans.write(all), ErrorCode.FILE_CORRUPT, 3, "UTF-8");
            }
        }
    }

    @Test
    void endlessRecordsMeetABound() {
        TextSettings settings = new TextSettings(64 << 10, 64 << 10, 100_000);
        try (TextScans scans = new TextScans(folder, CsvSyntax.DEFAULT, settings)) {
            String fits = "x".repeat(90_000);
            FileStatus good = scans.write("a,b\n" + fits + ",1\ny,2\n");
            assertThat(scans.rows(good, 10)).hasSize(2);
            FileStatus bad = scans.write("a,b\n1,2\n" + "x".repeat(1_000_000));
            refused(scans, bad, ErrorCode.FILE_CORRUPT, 3, "more than 100,000 bytes");
            FileStatus header = scans.write("x".repeat(1_000_000));
            refused(scans, header, ErrorCode.FILE_CORRUPT, 1, "more than 100,000 bytes");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    delimiter   | ab
                    delimiter   | é
                    quote       | ,
                    header      | maybe
                    skipLines   | -1
                    nullStrings | NA
                    columns     | [1]
                    columns     | {"a":"list<int8>"}
                    columns     | {"a":"nothing"}
                    comment     | ,
                    """)
    void wrongOptionsAreRefused(String name, String value) {
        assertThatExceptionOfType(SpillwayException.class)
                .isThrownBy(() -> CsvSyntax.DEFAULT.with(Map.of(name, value)))
                .satisfies(
                        e ->
                                assertThat(e.code())
                                        .isIn(ErrorCode.INVALID_PLAN, ErrorCode.TYPE_MISMATCH));
    }
}
