package io.spillway.scan.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.scan.ScanFormat;
import io.spillway.scan.ScanTask;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** INT96 columns as each of the types they can have, flat and nested. */
class Int96FilesTest {

    private static final List<String> INSTANTS =
            List.of(
                    "000000000000000052441a00",
                    "0000000000000000859b2300",
                    "ffff4e91944e00008b3d2500",
                    "00000000000000008cde2600",
                    "9cff4e91944e00002cfe5100");

    private static final List<String> TEXTS =
            List.of(
                    "0001-01-01T00:00:00.000000000",
                    "1677-01-01T00:00:00.000000000",
                    "1969-12-31T23:59:59.999999999",
                    "2262-04-12T00:00:00.000000000",
                    "9999-12-31T23:59:59.999999900");

    @TempDir Path folder;
    private final Scans scans = new Scans();

    @AfterEach
    void close() {
        scans.close();
    }

    private Path write(boolean dictionary) throws IOException {
        MessageType type =
                MessageTypeParser.parseMessageType(
                        "message m { optional int96 t; repeated int96 all;"
                                + " required group s { optional int96 t; } }");
        List<Group> rows = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            Binary value =
                    Binary.fromConstantByteArray(HexFormat.of().parseHex(INSTANTS.get(i % 5)));
            Group row = new SimpleGroup(type);
            row.add(0, value);
            row.add(1, value);
            row.add(1, value);
            row.addGroup(2).add(0, value);
            rows.add(row);
        }
        rows.add(new SimpleGroup(type));
        rows.getLast().addGroup(2);
        Path file = folder.resolve("int96.parquet");
        ParquetFile.write(file, type, rows, ParquetFile.Options.DEFAULT.dictionary(dictionary));
        return file;
    }

    private ScanTask task(Path file, String int96) {
        ScanFormat format = scans.format.with(Map.of("int96", int96));
        ScanTask task = scans.task(file, 0);
        return new ScanTask(task.file(), 0, 0, task.rows(), format.metadata(task.file()).schema());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void textsHoldThemAll(boolean dictionary) throws IOException {
        ScanTask task = task(write(dictionary), "utf8");

        assertThat(task.columns().columns())
                .extracting(ColumnSchema::type)
                .containsExactly(
                        ColumnType.parse("utf8"),
                        ColumnType.parse("list<utf8 not null>"),
                        ColumnType.parse("struct<t utf8>"));
        List<List<@Nullable String>> rows = scans.read(task, 30);
        for (int i = 0; i < 100; i++) {
            String text = TEXTS.get(i % 5);
            assertThat(rows.get(i).getFirst()).isEqualTo(text);
            assertThat(rows.get(i).get(1)).contains(text);
            assertThat(rows.get(i).get(2)).contains(text);
        }
        assertThat(rows.get(100).getFirst()).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"us", "ns"})
    void countsOfUnitsAreExactOrAnError(String unit) throws IOException {
        ScanTask task = Scans.columns(task(write(false), unit), "t");

        assertThat(task.columns().column(0).type())
                .isEqualTo(ColumnType.parse("timestamp(" + unit + ")"));
        assertThatExceptionOfType(SpillwayException.class)
                .isThrownBy(() -> scans.read(task, 30))
                .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_CAST))
                .satisfies(
                        e ->
                                assertThat(e.context())
                                        .containsEntry(SpillwayException.COLUMN, "t")
                                        .containsEntry(SpillwayException.ROW_GROUP, 0))
                .withMessageContaining("us".equals(unit) ? TEXTS.get(2) : TEXTS.get(0));
    }

    @Test
    void otherValuesOfTheOptionAreErrors() {
        assertThat(scans.format.options()).contains("int96");
        assertThatExceptionOfType(SpillwayException.class)
                .isThrownBy(() -> scans.format.with(Map.of("int96", "ms")))
                .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_PLAN));
    }
}
