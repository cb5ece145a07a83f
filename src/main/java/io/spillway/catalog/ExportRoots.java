package io.spillway.catalog;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.storage.FileSystemAccess;
import java.util.List;
import java.util.Map;

/**
 * The roots below which requests may write. They are judged as those are below which requests read:
 * by names first, then by where symbolic links lead.
 */
public final class ExportRoots {

    private final Map<String, FileSystemAccess> fileSystems;
    private final List<Location> locations;
    private final AllowedRoots roots;

    /**
     * @param fileSystems by URI scheme
     * @param roots absolute paths, paths relative to the working directory, or URIs; need not exist
     *     yet
     * @throws SpillwayException {@code PATH_NOT_ALLOWED} for the way a root is written, {@code
     *     NOT_SUPPORTED} for its scheme
     */
    public ExportRoots(Map<String, FileSystemAccess> fileSystems, List<String> roots) {
        this.fileSystems = Map.copyOf(fileSystems);
        this.locations = roots.stream().map(Location::configured).toList();
        this.roots = new AllowedRoots(locations);
        locations.forEach(this::fileSystem);
    }

    /**
     * A place that may be written.
     *
     * @param uri of it, without a slash at its end
     */
    public record Target(FileSystemAccess files, String uri) {}

    /**
     * The place that a path names; nothing need be there.
     *
     * @throws SpillwayException {@code PATH_NOT_ALLOWED} unless it is below a root, {@code
     *     NOT_SUPPORTED} for its scheme
     */
    public Target target(String path) {
        Location location = Location.requested(path);
        if (location.fixedSegments() < location.segments().size()) {
            throw Location.refused(path, "A path to write to has none of * ? [ ] { } \\ in it");
        }
        roots.check(location);
        if (locations.stream()
                .anyMatch(root -> location.isWithin(root) && root.isWithin(location))) {
            throw Location.refused(path, "The path is a root itself, not below one");
        }
        return new Target(fileSystem(location), location.text().replaceAll("/+$", ""));
    }

    private FileSystemAccess fileSystem(Location location) {
        FileSystemAccess fileSystem = fileSystems.get(location.scheme());
        if (fileSystem == null) {
            throw new SpillwayException(
                            ErrorCode.NOT_SUPPORTED,
                            "Files with scheme '%s' are not supported".formatted(location.scheme()))
                    .with(SpillwayException.FILE, location.text());
        }
        return fileSystem;
    }
}
