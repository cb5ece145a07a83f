package io.spillway.catalog;

import io.spillway.batch.RowSchema;
import io.spillway.error.ErrorCode;
import io.spillway.error.NearestName;
import io.spillway.error.SpillwayException;
import io.spillway.scan.ScanFormat;
import io.spillway.scan.pruning.PruningPredicate;
import io.spillway.storage.FileStatus;
import io.spillway.storage.FileSystemAccess;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
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
    private final OwnedDatasets owned;

    /** A catalog whose callers have nothing for themselves. */
    public ConfiguredCatalog(
            Map<String, FileSystemAccess> fileSystems,
            List<ScanFormat> formats,
            Map<String, DatasetDefinition> datasets,
            List<String> roots,
            int maxFiles) {
        this(fileSystems, formats, datasets, roots, maxFiles, OwnedDatasets.none());
    }

    /**
     * @param fileSystems by URI scheme
     * @param formats that can be scanned
     * @param datasets by name
     * @param roots absolute paths, paths relative to the working directory, or URIs; need not exist
     *     yet
     * @param maxFiles files that one snapshot may have
     * @param owned what callers have for themselves; such a dataset is not seen while a configured
     *     one has its name
     * @throws SpillwayException if a dataset or root is one that could never be read: {@code
     *     NOT_SUPPORTED} for its scheme, format or options, {@code PATH_NOT_ALLOWED} for the way a
     *     path is written
     */
    public ConfiguredCatalog(
            Map<String, FileSystemAccess> fileSystems,
            List<ScanFormat> formats,
            Map<String, DatasetDefinition> datasets,
            List<String> roots,
            int maxFiles,
            OwnedDatasets owned) {
        this.fileSystems = Map.copyOf(fileSystems);
        formats.forEach(f -> this.formats.put(f.name(), f));
        this.datasets = new TreeMap<>(datasets);
        this.roots = new AllowedRoots(roots.stream().map(Location::configured).toList());
        this.maxFiles = maxFiles;
        this.owned = owned;
        datasets.forEach(this::checkDefinition);
    }

    private void checkDefinition(String name, DatasetDefinition dataset) {
        try {
            ScanOptions.parse(format(dataset.format()), dataset.options());
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
            throw unknownDataset(name, datasets.keySet());
        }
        return pin(dataset);
    }

    private static SpillwayException unknownDataset(String name, Collection<String> names) {
        return unknown(ErrorCode.UNKNOWN_DATASET, "dataset", name, names);
    }

    private Snapshot pin(DatasetDefinition dataset) {
        ScanOptions options = ScanOptions.parse(format(dataset.format()), dataset.options());
        return pin(
                options,
                dataset.paths().stream().map(Location::configured).toList(),
                (location, file) -> {});
    }

    @Override
    public Catalog of(String owner) {
        return new OfOwner(owner);
    }

    /** What one caller can scan. */
    private final class OfOwner implements Catalog {

        private final String owner;

        OfOwner(String owner) {
            this.owner = owner;
        }

        @Override
        public List<String> datasetNames() {
            TreeSet<String> names = new TreeSet<>(datasets.keySet());
            names.addAll(owned.names(owner));
            return List.copyOf(names);
        }

        @Override
        public Snapshot dataset(String name) {
            DatasetDefinition configured = datasets.get(name);
            return pin(
                    configured != null
                            ? configured
                            : owned.find(owner, name)
                                    .orElseThrow(() -> unknownDataset(name, datasetNames())));
        }

        @Override
        public Snapshot files(String format, List<String> paths, Map<String, Object> options) {
            return ConfiguredCatalog.this.files(format, paths, options);
        }

        @Override
        public BitSet prune(
                String format, FileStatus file, RowSchema columns, PruningPredicate filter) {
            return ConfiguredCatalog.this.prune(format, file, columns, filter);
        }
    }

    @Override
    public Snapshot files(String format, List<String> paths, Map<String, Object> options) {
        ScanOptions parsed = ScanOptions.parse(format(format), options);
        if (paths.isEmpty()) {
            throw new SpillwayException(ErrorCode.INVALID_PLAN, "No path is named");
        }
        List<Location> locations = paths.stream().map(Location::requested).toList();
        locations.forEach(roots::check);
        return pin(
                parsed,
                locations,
                (location, file) -> roots.check(location, file, fileSystem(location)));
    }

    private Snapshot pin(
            ScanOptions options, List<Location> locations, BiConsumer<Location, FileStatus> check) {
        int parallelism =
                locations.stream()
                        .mapToInt(l -> fileSystem(l).profile().parallelism())
                        .max()
                        .orElse(1);
        return SnapshotReader.read(options, list(locations, check, parallelism), parallelism);
    }

    private List<ListedFile> list(
            List<Location> locations, BiConsumer<Location, FileStatus> check, int parallelism) {
        List<ListedFile> files = new ArrayList<>();
        OrderedReads.run(
                locations,
                parallelism,
                location -> {
                    List<FileStatus> listed = fileSystem(location).list(location.text());
                    checkCount(listed.size());
                    listed.forEach(file -> check.accept(location, file));
                    return listed;
                },
                new OrderedReads.Receiver<>() {
                    @Override
                    public void read(Location location, List<FileStatus> listed) {
                        listed.forEach(file -> files.add(new ListedFile(file, location)));
                        checkCount(files.size());
                    }

                    @Override
                    public void failed(Location location, SpillwayException failure) {
                        throw failure;
                    }
                });
        return files;
    }

    @Override
    public BitSet prune(
            String format, FileStatus file, RowSchema columns, PruningPredicate filter) {
        return format(format).prune(file, columns, filter);
    }

    private ScanFormat format(String name) {
        ScanFormat format = formats.get(name);
        if (format == null) {
            throw unknown(ErrorCode.NOT_SUPPORTED, "format", name, formats.keySet());
        }
        return format;
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

    private void checkCount(int files) {
        if (files > maxFiles) {
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
