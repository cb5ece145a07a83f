package io.spillway.catalog;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import java.io.IOException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Where a path really leads, all symbolic links resolved, also when the end of the way does not
 * exist ({@code realpath --canonicalize-missing}): what a link points to must be judged the same
 * whether or not something is there.
 */
final class RealPath {

    /** As many links as Linux follows. */
    private static final int MAX_LINKS = 40;

    private RealPath() {}

    /**
     * @param path absolute
     * @throws SpillwayException {@code READ_FAILED} if links go in circles or cannot be read
     */
    static Path of(Path path) {
        try {
            return resolve(path);
        } catch (IOException e) {
            throw new SpillwayException(
                            ErrorCode.READ_FAILED, "A symbolic link cannot be followed: " + path, e)
                    .with(SpillwayException.FILE, path.toUri().toString());
        }
    }

    private static Path resolve(Path path) throws IOException {
        Path real = path.getRoot();
        Deque<Path> ahead = new ArrayDeque<>();
        path.forEach(ahead::addLast);
        int links = 0;
        while (!ahead.isEmpty()) {
            Path name = ahead.removeFirst();
            if (name.toString().equals("..")) {
                real = real.getParent() == null ? real : real.getParent();
                continue;
            }
            Path next = real.resolve(name).normalize();
            if (!Files.isSymbolicLink(next)) {
                real = next;
                continue;
            }
            if (++links > MAX_LINKS) {
                throw new FileSystemLoopException(path.toString());
            }
            Path target = Files.readSymbolicLink(next);
            if (target.isAbsolute()) {
                real = target.getRoot();
            }
            for (int i = target.getNameCount() - 1; i >= 0; i--) {
                ahead.addFirst(target.getName(i));
            }
        }
        return real;
    }
}
