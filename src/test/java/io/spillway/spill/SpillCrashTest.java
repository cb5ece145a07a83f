package io.spillway.spill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.spillway.batch.RecordBatch;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.expression.Decode;
import io.spillway.memory.MemoryPool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Real processes and a real small disk. */
@Timeout(60)
class SpillCrashTest {

    @TempDir Path folder;

    private static List<Path> spillFiles(Path below) throws IOException {
        try (Stream<Path> all = Files.walk(below)) {
            return all.filter(p -> p.toString().endsWith(".spill")).toList();
        }
    }

    private Path firstFile(Process writer) throws Exception {
        while (writer.isAlive()) {
            for (Path file : spillFiles(folder)) {
                if (Files.size(file) > 1 << 20) {
                    return file;
                }
            }
            TimeUnit.MILLISECONDS.sleep(10);
        }
        throw new AssertionError("the process has ended: " + writer.exitValue());
    }

    @Test
    void filesStayWhileTheirProcessLivesAndGoWhenItWasKilled() throws Exception {
        Process child = SpillProcess.start(folder);
        try {
            Path file = firstFile(child);
            SpillManager.open(folder, 1 << 20, Decode::decode).close();
            assertThat(file).exists();
            child.destroyForcibly().waitFor();
            assertThat(file).exists();
            try (SpillManager manager = SpillManager.open(folder, 1 << 20, Decode::decode)) {
                assertThat(spillFiles(folder)).isEmpty();
                assertThat(manager.held()).isZero();
                assertThat(file.getParent()).doesNotExist();
            }
        } finally {
            child.destroyForcibly().waitFor();
        }
    }

    @Test
    void aFullDiskIsToldAndTheNextJobRuns() throws Exception {
        Path disk = Files.createDirectory(folder.resolve("disk"));
        Process mount =
                new ProcessBuilder(
                                "mount", "-t", "tmpfs", "-o", "size=16m", "tmpfs", disk.toString())
                        .redirectErrorStream(true)
                        .start();
        assumeThat(mount.waitFor()).as("whether a disk can be mounted here").isZero();
        try (MemoryPool pool = MemoryPool.root(64 << 20);
                RecordBatch batch = SpillRows.batch(0, 400, 1_000, pool.allocator());
                SpillManager manager = SpillManager.open(disk, 1L << 40, Decode::decode)) {
            try (SpillSpace space = manager.space("large", pool);
                    SpillWriter writer = space.create(SpillRows.SCHEMA)) {
                assertThatThrownBy(
                                () -> {
                                    for (int i = 0; i < 100_000; i++) {
                                        writer.append(batch);
                                    }
                                })
                        .isInstanceOfSatisfying(
                                SpillwayException.class,
                                e -> assertThat(e.code()).isEqualTo(ErrorCode.DISK_FULL));
            }
            assertThat(manager.held()).isZero();
            assertThat(spillFiles(disk)).isEmpty();
            try (SpillSpace space = manager.space("next", pool);
                    SpillWriter writer = space.create(SpillRows.SCHEMA)) {
                writer.append(batch);
                assertThat(SpillRows.read(writer.finish().read(pool.allocator())))
                        .isEqualTo(SpillRows.rows(0, 400, 1_000));
            }
        } finally {
            new ProcessBuilder("umount", disk.toString()).start().waitFor();
        }
    }
}
