package io.spillway.testing;

import io.spillway.expression.Decode;
import io.spillway.memory.MemoryPool;
import io.spillway.spill.SpillManager;
import io.spillway.spill.SpillSpace;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Room on the disk for tests that look at other things: one folder for all of them. */
public final class SpillFolders {

    private static final long QUOTA = 1L << 30;

    private static final SpillManager SHARED = shared();

    private SpillFolders() {}

    private static SpillManager shared() {
        try {
            Path folder = Files.createTempDirectory("spillway-spill");
            SpillManager manager = SpillManager.open(folder, QUOTA, Decode::decode);
            Runtime.getRuntime().addShutdownHook(new Thread(manager::close));
            return manager;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
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
