package io.spillway.testing;

import io.spillway.expression.Decode;
import io.spillway.memory.MemoryPool;
import io.spillway.spill.SpillManager;
import io.spillway.spill.SpillSpace;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.commons.io.file.PathUtils;

/** Room on the disk for tests that look at other things: one folder for all of them. */
public final class SpillFolders {

    private static final long QUOTA = 1L << 30;

    private static final Path FOLDER = make();
    private static final SpillManager SHARED = shared();

    private SpillFolders() {}

    private static Path make() {
        try {
            return Files.createTempDirectory("spillway-disk");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static SpillManager shared() {
        SpillManager manager = SpillManager.open(FOLDER, QUOTA, Decode::decode);
        Runtime.getRuntime().addShutdownHook(new Thread(SpillFolders::delete));
        return manager;
    }

    private static void delete() {
        SHARED.close();
        try {
            PathUtils.deleteDirectory(FOLDER);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The folder of all tests of this process. */
    public static Path folder() {
        return FOLDER;
    }

    /** The manager of all tests of this process; not to be closed. */
    public static SpillManager manager() {
        return SHARED;
    }

    /** A space for work in a pool. */
    public static SpillSpace space(MemoryPool pool) {
        return SHARED.space("test", pool);
    }
}
