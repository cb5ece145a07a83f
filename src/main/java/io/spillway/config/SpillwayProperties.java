package io.spillway.config;

import io.spillway.catalog.DatasetDefinition;
import io.spillway.storage.HadoopSettings;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * All settings of Spillway, below {@code spillway.}; {@code application.yaml} explains each beside
 * its default. Immutable, and valid: a wrong value, a wrong combination or an unknown name stops
 * the start.
 *
 * @param home folder for what this process keeps: the job store and its keys
 * @param sources where requests may read
 * @param datasets named datasets
 * @param memory how much memory data may take
 * @param spill where this process writes what does not fit in memory
 * @param spool where results are written that are computed once
 * @param exports where requests may have rows written
 * @param groups how readers share batches
 * @param delivery where rows may be sent
 * @param secrets values that requests may name
 * @param scheduler the threads that do the work
 * @param jobs how long jobs live and how many there are
 * @param store the job store's database
 * @param security who may call
 * @param limits what one request may ask for
 * @param events how streams of server-sent events are written
 */
@ConfigurationProperties(value = "spillway", ignoreUnknownFields = false)
public record SpillwayProperties(
        @DefaultValue("spillway-home") Path home,
        @DefaultValue Sources sources,
        @DefaultValue Map<String, Dataset> datasets,
        @DefaultValue Memory memory,
        @DefaultValue SpillProperties spill,
        @DefaultValue SpoolProperties spool,
        @DefaultValue ExportProperties exports,
        @DefaultValue GroupProperties groups,
        @DefaultValue DeliveryProperties delivery,
        @DefaultValue Map<String, String> secrets,
        @DefaultValue Scheduler scheduler,
        @DefaultValue Jobs jobs,
        @DefaultValue Store store,
        @DefaultValue SecurityProperties security,
        @DefaultValue LimitProperties limits,
        @DefaultValue EventProperties events) {

    private static final Pattern SECRET_NAME = Pattern.compile("[A-Za-z0-9._-]{1,100}");

    private static final Pattern DATASET_NAME =
            Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}");

    public SpillwayProperties {
        datasets = Map.copyOf(datasets);
        secrets = Map.copyOf(secrets);
        for (String name : datasets.keySet()) {
            Require.that(
                    DATASET_NAME.matcher(name).matches(),
                    "'"
                            + name
                            + "' in spillway.datasets is not a name of letters, digits, '_', '.'"
                            + " and '-'");
        }
        for (String name : secrets.keySet()) {
            Require.that(
                    SECRET_NAME.matcher(name).matches(),
                    "A name in spillway.secrets has letters, digits, '.', '_' and '-'");
        }
    }

    /** Leaves out what is secret. */
    @Override
    public String toString() {
        return "SpillwayProperties[home=" + home + "]";
    }

    /**
     * What requests may read.
     *
     * @param roots absolute paths, paths relative to the working directory, or URIs; requests may
     *     name files below them only
     * @param hadoop file systems other than the machine's own
     */
    public record Sources(@DefaultValue List<String> roots, @DefaultValue Hadoop hadoop) {

        public Sources {
            roots = List.copyOf(roots);
            roots.forEach(root -> Require.notBlank("spillway.sources.roots", root));
        }
    }

    /**
     * File systems that are reached by Hadoop's clients.
     *
     * @param schemes of the URIs that may be read
     * @param properties Hadoop's own, by name
     * @param configFiles Hadoop configuration files, such as {@code core-site.xml}; later ones win,
     *     and properties win over all
     * @param parallelism requests that may be under way at once
     */
    public record Hadoop(
            @DefaultValue({"s3", "s3a", "hdfs"}) List<String> schemes,
            @DefaultValue Map<String, String> properties,
            @DefaultValue List<Path> configFiles,
            @DefaultValue("64") int parallelism) {

        private static final Pattern SCHEME = Pattern.compile("[a-z][a-z0-9+.-]*");

        public Hadoop {
            schemes = List.copyOf(schemes);
            schemes.forEach(
                    scheme ->
                            Require.that(
                                    SCHEME.matcher(scheme).matches() && !scheme.equals("file"),
                                    "spillway.sources.hadoop.schemes must be URI schemes in lower"
                                            + " case other than file"));
            properties = Map.copyOf(properties);
            configFiles = List.copyOf(configFiles);
            configFiles.forEach(
                    file ->
                            Require.that(
                                    Files.isReadable(file),
                                    "spillway.sources.hadoop.config-files must be files that can be"
                                            + " read"));
            Require.positive("spillway.sources.hadoop.parallelism", parallelism);
        }

        /** The same for the file systems. */
        public HadoopSettings settings() {
            return new HadoopSettings(properties, configFiles, parallelism);
        }

        /** Leaves out what may hold a secret. */
        @Override
        public String toString() {
            return "Hadoop[schemes=" + schemes + ", parallelism=" + parallelism + "]";
        }
    }

    /**
     * One named dataset.
     *
     * @param format name of the scan format
     * @param paths paths, URIs or globs, in scan order; the operator is trusted, they need not
     *     stand below a root
     * @param options of the format
     */
    public record Dataset(
            @DefaultValue("parquet") String format,
            List<String> paths,
            @DefaultValue Map<String, Object> options) {

        public Dataset {
            Require.notBlank("format of a dataset", format);
            Require.that(paths != null && !paths.isEmpty(), "A dataset has at least one path");
            paths = List.copyOf(paths);
            paths.forEach(path -> Require.notBlank("path of a dataset", path));
            options = Map.copyOf(options);
        }

        /** The same for the catalog. */
        public DatasetDefinition definition() {
            return new DatasetDefinition(format, paths, options);
        }
    }

    /**
     * How much memory data may take.
     *
     * @param budget what all data in memory may take together; by default half of the memory that
     *     the machine or container has
     * @param perJob what the readers of one job may take together; by default half of the budget
     */
    public record Memory(@Nullable DataSize budget, @Nullable DataSize perJob) {

        public Memory {
            if (budget != null) {
                Require.positive("spillway.memory.budget", budget);
            }
            if (perJob != null) {
                Require.positive("spillway.memory.per-job", perJob);
                Require.that(
                        perJob.toBytes() <= bytes(budget),
                        "spillway.memory.per-job must not be over spillway.memory.budget");
            }
        }

        /** Bytes of the budget, the default worked out. */
        public long budgetBytes() {
            return bytes(budget);
        }

        /** Bytes that one job may take, the default worked out. */
        public long perJobBytes() {
            return perJob == null ? Math.max(1, budgetBytes() / 2) : perJob.toBytes();
        }

        private static long bytes(@Nullable DataSize budget) {
            return budget == null ? MachineMemory.bytes() / 2 : budget.toBytes();
        }
    }

    /**
     * The memory that the JVM may use as the kernel tells it: the container's, if it has a limit.
     */
    private static final class MachineMemory {

        private static long bytes() {
            if (ManagementFactory.getOperatingSystemMXBean()
                    instanceof com.sun.management.OperatingSystemMXBean system) {
                return system.getTotalMemorySize();
            }
            return Runtime.getRuntime().maxMemory();
        }
    }

    /**
     * The threads that compute.
     *
     * @param threads threads that compute; by default one per core
     */
    public record Scheduler(@Nullable Integer threads) {

        public Scheduler {
            if (threads != null) {
                Require.positive("spillway.scheduler.threads", threads);
            }
        }

        /** The number of threads, the default worked out. */
        public int threadCount() {
            return threads == null ? Runtime.getRuntime().availableProcessors() : threads;
        }
    }

    /**
     * How long jobs live, and how many there are.
     *
     * @param ttl how long a job lives after its last use, unless it says so itself
     * @param maxTtl the longest life that a job may ask for
     * @param maxOpen jobs that may be open at once, over all callers
     * @param retention how long the record of an ended job is kept, so that its readers learn what
     *     became of it
     * @param batchRows rows of the batches in which a job is computed, unless it says so itself
     * @param linger how long a count goes on after the last caller who waited for it has left
     */
    public record Jobs(
            @DefaultValue("24h") Duration ttl,
            @DefaultValue("30d") Duration maxTtl,
            @DefaultValue("10000") int maxOpen,
            @DefaultValue("24h") Duration retention,
            @DefaultValue("2048") int batchRows,
            @DefaultValue("60s") Duration linger) {

        public Jobs {
            Require.positive("spillway.jobs.ttl", ttl);
            Require.that(
                    ttl.compareTo(maxTtl) <= 0,
                    "spillway.jobs.ttl must not be over spillway.jobs.max-ttl");
            Require.positive("spillway.jobs.max-open", maxOpen);
            Require.positive("spillway.jobs.retention", retention);
            Require.positive("spillway.jobs.batch-rows", batchRows);
            Require.notNegative("spillway.jobs.linger", linger);
        }
    }

    /**
     * The job store's database.
     *
     * @param url JDBC URL of an H2 or PostgreSQL database; by default an H2 file in the home
     * @param username for the database, if the URL has none
     * @param password for the database, if the URL has none
     * @param connections connections that are open at most
     */
    public record Store(
            @Nullable String url,
            @Nullable String username,
            @Nullable String password,
            @DefaultValue("8") int connections) {

        public Store {
            if (url != null) {
                Require.that(
                        url.startsWith("jdbc:h2:") || url.startsWith("jdbc:postgresql:"),
                        "spillway.store.url must start with jdbc:h2: or jdbc:postgresql:");
            }
            Require.positive("spillway.store.connections", connections);
        }

        /** Leaves out what may hold a secret. */
        @Override
        public String toString() {
            return "Store[connections=" + connections + "]";
        }
    }
}
