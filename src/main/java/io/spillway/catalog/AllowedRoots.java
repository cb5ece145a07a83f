package io.spillway.catalog;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.storage.FileStatus;
import io.spillway.storage.FileSystemAccess;
import java.net.URI;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/**
 * The roots below which requests may name files. A path is judged by its names first, before
 * anything is asked of a file system, then by where symbolic links lead. Whatever is refused is
 * refused in the same words whether or not it exists.
 */
final class AllowedRoots {

    private final List<Location> roots;

    AllowedRoots(List<Location> roots) {
        this.roots = List.copyOf(roots);
    }

    /**
     * Checks a path or glob before it is listed: the names, and where the part without wildcards
     * really leads.
     *
     * @throws SpillwayException {@code PATH_NOT_ALLOWED}
     */
    void check(Location location) {
        for (Location root : roots) {
            if (location.isWithin(root)) {
                if (location.scheme().equals(Location.FILE)) {
                    int fixed = Math.max(root.segments().size(), location.fixedSegments());
                    checkReal(location, local(location, fixed));
                }
                return;
            }
        }
        throw outside(location);
    }

    /**
     * Checks a file that a checked location has listed: of a local one, that the file which was
     * listed is the one that was checked, so that a link cannot be turned in between; of any other,
     * that the name by which it will be read stands below a root too.
     *
     * @throws SpillwayException {@code PATH_NOT_ALLOWED}; {@code SOURCE_CHANGED} if the path leads
     *     to another file by now
     */
    void check(Location location, FileStatus file, FileSystemAccess files) {
        if (location.scheme().equals(Location.FILE)) {
            Path real = checkReal(location, Path.of(URI.create(file.uri())));
            String identity = files.status(real.toUri().toString()).identity();
            if (!Objects.equals(identity, file.identity())) {
                throw new SpillwayException(
                                ErrorCode.SOURCE_CHANGED,
                                "The file was replaced while it was being looked at: " + file.uri())
                        .with(SpillwayException.FILE, file.uri());
            }
            return;
        }
        Location named = Location.requested(file.uri());
        if (roots.stream().noneMatch(named::isWithin)) {
            throw outside(location);
        }
    }

    /** The real path; refused unless it stands below the real path of a root. */
    private Path checkReal(Location location, Path path) {
        Path real = RealPath.of(path);
        for (Location root : roots) {
            if (root.scheme().equals(Location.FILE)
                    && real.startsWith(RealPath.of(local(root, root.segments().size())))) {
                return real;
            }
        }
        throw outside(location);
    }

    private static Path local(Location location, int segments) {
        try {
            return location.localPath(segments);
        } catch (InvalidPathException e) {
            throw Location.refused(location.text(), "No local path is written like this");
        }
    }

    private static SpillwayException outside(Location location) {
        return Location.refused(location.text(), "The path is not below an allowed root");
    }
}
