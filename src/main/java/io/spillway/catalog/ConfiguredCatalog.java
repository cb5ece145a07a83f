package io.spillway.catalog;

import io.spillway.error.ErrorCode;
import io.spillway.error.NearestName;
import io.spillway.error.SpillwayException;
import io.spillway.scan.FileMetadata;
import io.spillway.scan.ScanFile;
import io.spillway.scan.ScanFormat;
import io.spillway.storage.FileStatus;
import io.spillway.storage.FileSystemAccess;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The catalog of one configuration: named datasets, which the operator is trusted with and which
 * may stand anywhere, and files that requests name, which must stand below an allowed root.
 */
public final class ConfiguredCatalog implements Catalog {

    private final Map<String, FileSystemAccess> fileSystems;
    private final Map<String, ScanFormat> formats = new TreeMap<>();
    private final Map<String, DatasetDefinition> datasets;
    private final AllowedRoots roots;
    private final int maxFiles;

    /**
     * @param fileSystems by URI scheme
     * @param formats that can be scanned
     * @param datasets by name
     * @param roots absolute paths, paths relative to the working directory, or URIs; need not exist
     *     yet
     * @param maxFiles files that one snapshot may have
     * @throws SpillwayException if a dataset or root is one that could never be read: {@code
     *     NOT_SUPPORTED} for its scheme, format or options, {@code PATH_NOT_ALLOWED} for the way a
     *     path is written
     */
    public ConfiguredCatalog(
            Map<String, FileSystemAccess> fileSystems,
            List<ScanFormat> formats,
            Map<String, DatasetDefinition> datasets,
            List<String> roots,
            int maxFiles) {
        this.fileSystems = Map.copyOf(fileSystems);
        formats.forEach(f -> this.formats.put(f.name(), f));
        this.datasets = new TreeMap<>(datasets);
        this.roots = new AllowedRoots(roots.stream().map(Location::configured).toList());
        this.maxFiles = maxFiles;
        datasets.forEach(this::checkDefinition);
    }

    private void checkDefinition(String name, DatasetDefinition dataset) {
        try {
            checkOptions(format(dataset.format()), dataset.options());
            dataset.paths().forEach(p -> fileSystem(Location.configured(p)));
        } catch (SpillwayException e) {
            throw new SpillwayException(
                    e.code(), "Dataset '%s': %s".formatted(name, e.getMessage()), e);
        }
    }

    @Override
    public List<String> datasetNames() {
        return List.copyOf(datasets.keySet());
    }

    @Override
    public Snapshot dataset(String name) {
        DatasetDefinition dataset = datasets.get(name);
        if (dataset == null) {
            throw unknown(ErrorCode.UNKNOWN_DATASET, "dataset", name, datasets.keySet());
        }
        List<FileStatus> files = new ArrayList<>();
        for (String path : dataset.paths()) {
            Location location = Location.configured(path);
            files.addAll(fileSystem(location).list(location.text()));
            checkCount(files);
        }
        return pin(format(dataset.format()), files);
    }

    @Override
    public Snapshot files(String format, List<String> paths, Map<String, Object> options) {
        ScanFormat scan = format(format);
        checkOptions(scan, options);
        if (paths.isEmpty()) {
            throw new SpillwayException(ErrorCode.INVALID_PLAN, "No path is named");
        }
        List<Location> locations = paths.stream().map(Location::requested).toList();
        locations.forEach(roots::check);
        List<FileStatus> files = new ArrayList<>();
        for (Location location : locations) {
            FileSystemAccess fileSystem = fileSystem(location);
            List<FileStatus> listed = fileSystem.list(location.text());
            listed.forEach(f -> roots.check(location, f, fileSystem));
            files.addAll(listed);
            checkCount(files);
        }
        return pin(scan, files);
    }

    private static Snapshot pin(ScanFormat format, List<FileStatus> files) {
        List<FileMetadata> metadata = MetadataReader.read(format, files);
        CommonSchema schema = new CommonSchema(files.getFirst().uri(), metadata.getFirst());
        List<ScanFile> scan = new ArrayList<>(files.size());
        for (int i = 0; i < files.size(); i++) {
            if (i > 0) {
                schema.add(files.get(i).uri(), metadata.get(i));
            }
            scan.add(new ScanFile(files.get(i), metadata.get(i).partitionRows()));
        }
        return new Snapshot(format.name(), schema.schema(), schema.unreadable(), scan);
    }

    private ScanFormat format(String name) {
        ScanFormat format = formats.get(name);
        if (format == null) {
            throw unknown(ErrorCode.NOT_SUPPORTED, "format", name, formats.keySet());
        }
        return format;
    }

    /** No format has options yet. */
    private static void checkOptions(ScanFormat format, Map<String, Object> options) {
        if (!options.isEmpty()) {
            String name = options.keySet().iterator().next();
            throw new SpillwayException(
                            ErrorCode.NOT_SUPPORTED,
                            "The format '%s' has no option '%s'".formatted(format.name(), name))
                    .with(SpillwayException.FOUND, name);
        }
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

    private void checkCount(List<FileStatus> files) {
        if (files.size() > maxFiles) {
            throw new SpillwayException(
                            ErrorCode.PLAN_TOO_LARGE,
                            "More than %,d files are to be scanned".formatted(maxFiles))
                    .with(SpillwayException.LIMIT, maxFiles);
        }
    }

    private static SpillwayException unknown(
            ErrorCode code, String kind, String name, Collection<String> names) {
        @Nullable String suggestion = NearestName.of(name, names);
        String hint = suggestion == null ? "" : "; did you mean '%s'?".formatted(suggestion);
        return new SpillwayException(code, "There is no %s '%s'%s".formatted(kind, name, hint))
                .with(SpillwayException.FOUND, name)
                .with(SpillwayException.SUGGESTION, suggestion);
    }
}
