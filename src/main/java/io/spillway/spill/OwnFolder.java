package io.spillway.spill;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The folder of a living process. It holds a lock on a file in it for as long as it lives; a folder
 * whose lock is to be had belongs to nobody any more, and is deleted. Starting and sweeping happen
 * one at a time, under a lock on the shared folder, so that nobody meets a folder that has no lock
 * yet.
 */
final class OwnFolder implements AutoCloseable {

    private static final String PREFIX = "process-";
    private static final String LOCK = "lock";
    private static final String SHARED_LOCK = ".lock";

    /**
     * Folders of this process: to close a channel on a file gives up all locks that the process has
     * on it (POSIX), so theirs are never opened again. Guarded by the class.
     */
    private static final Set<Path> OURS = new HashSet<>();

    private final Path path;
    private final FileChannel channel;

    private OwnFolder(Path path, FileChannel channel) {
        this.path = path;
        this.channel = channel;
    }

    Path path() {
        return path;
    }

    /** Makes a folder for this process, and sweeps those of dead ones. */
    static OwnFolder take(Path shared) {
        synchronized (OwnFolder.class) {
            try {
                Files.createDirectories(shared);
                Path root = shared.toRealPath();
                try (FileChannel turn = lockFile(root.resolve(SHARED_LOCK));
                        FileLock _ = turn.lock()) {
                    sweep(root);
                    return make(root);
                }
            } catch (IOException e) {
                throw SpillFailures.write(shared, e);
            }
        }
    }

    private static OwnFolder make(Path root) throws IOException {
        Path path = Files.createDirectory(root.resolve(PREFIX + UUID.randomUUID()));
        FileChannel channel = lockFile(path.resolve(LOCK));
        try {
            if (channel.tryLock() == null) {
                throw new IOException("The lock of a new folder is taken");
            }
        } catch (IOException e) {
            channel.close();
            throw e;
        }
        OURS.add(path);
        return new OwnFolder(path, channel);
    }

    private static void sweep(Path root) throws IOException {
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(root, PREFIX + "*")) {
            for (Path folder : folders) {
                if (!OURS.contains(folder) && isDead(folder)) {
                    delete(folder);
                }
            }
        }
    }

    private static boolean isDead(Path folder) throws IOException {
        if (!Files.isRegularFile(folder.resolve(LOCK))) {
            return Files.isDirectory(folder);
        }
        try (FileChannel channel = lockFile(folder.resolve(LOCK));
                @Nullable FileLock lock = channel.tryLock()) {
            return lock != null;
        }
    }

    /** What cannot be deleted stays for the next time. */
    private static void delete(Path folder) {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
            for (Path file : files) {
                if (!file.endsWith(LOCK)) {
                    Files.deleteIfExists(file);
                }
            }
            Files.deleteIfExists(folder.resolve(LOCK));
            Files.deleteIfExists(folder);
        } catch (IOException e) {
            SpillManager.LOG.warn("old spill files in {} could not be deleted", folder, e);
        }
    }

    private static FileChannel lockFile(Path file) throws IOException {
        return FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    }

    /** Deletes the folder with all that is in it. */
    @Override
    public void close() {
        synchronized (OwnFolder.class) {
            delete(path);
            OURS.remove(path);
            try {
                channel.close();
            } catch (IOException e) {
                SpillManager.LOG.warn("the lock of {} could not be given up", path, e);
            }
        }
    }
}
