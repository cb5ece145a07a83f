package io.spillway.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.testing.ChunkedResponse;
import io.spillway.testing.ParquetFiles;
import io.spillway.testing.RowForm;
import io.spillway.testing.SpillwayServer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Texts of a megabyte each, more of them than one vector of 32-bit offsets could hold. */
@SuppressWarnings("NullAway.Init") // the server is there before all tests
class LargeTextCasesTest {

    private static final long TEXT = 1 << 20;

    @TempDir static Path folder;

    private static SpillwayServer server;

    @BeforeAll
    static void start() {
        server =
                SpillwayServer.builder()
                        .root(folder)
                        .set("spillway.memory.budget", "256MB")
                        .set("spillway.memory.per-job", "256MB")
                        .start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void someDozenComeWhole() throws IOException {
        read(60);
    }

    @Test
    @Tag("long")
    void moreThanTwoGibibytesComeWhole() throws IOException {
        read(2_200);
    }

    private static void read(int rows) throws IOException {
        Path file =
                ParquetFiles.write(
                        folder.resolve(rows + ".parquet"),
                        "SELECT range AS id, repeat('x', "
                                + TEXT
                                + ") AS text FROM range("
                                + rows
                                + ")");
        String job =
                server.submit(
                        "{\"from\": {\"files\": {\"format\": \"parquet\", \"paths\": [\""
                                + file
                                + "\"]}}}");
        try (ChunkedResponse lines = RowForm.NDJSON.ask(server.port(), job, "")) {
            lines.drain();
            assertThat(lines.field("Spillway-Row-Count")).isEqualTo(Integer.toString(rows));
            assertThat(lines.bytes()).isGreaterThan(rows * TEXT);
        }
        try (ChunkedResponse lines = RowForm.CSV.ask(server.port(), job, "")) {
            lines.drain();
            assertThat(lines.field("Spillway-Row-Count")).isEqualTo(Integer.toString(rows));
        }
        try (ChunkedResponse stream = RowForm.ARROW.ask(server.port(), job, "");
                RootAllocator allocator = new RootAllocator();
                ArrowStreamReader reader = new ArrowStreamReader(body(stream), allocator)) {
            long count = 0;
            long bytes = 0;
            while (reader.loadNextBatch()) {
                VarCharVector text = (VarCharVector) reader.getVectorSchemaRoot().getVector("text");
                count += text.getValueCount();
                bytes += text.getOffsetBuffer().getInt(4L * text.getValueCount());
            }
            assertThat(count).isEqualTo(rows);
            assertThat(bytes).isEqualTo(rows * TEXT);
        }
    }

    private static InputStream body(ChunkedResponse response) {
        return new InputStream() {

            private byte[] bytes = {};
            private int at;

            @Override
            public int read() throws IOException {
                byte[] one = new byte[1];
                return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
            }

            @Override
            public int read(byte[] into, int from, int length) throws IOException {
                if (at == bytes.length) {
                    bytes = response.next();
                    at = 0;
                }
                int count = Math.min(length, bytes.length - at);
                System.arraycopy(bytes, at, into, from, count);
                at += count;
                return count == 0 && length > 0 ? -1 : count;
            }
        };
    }
}
