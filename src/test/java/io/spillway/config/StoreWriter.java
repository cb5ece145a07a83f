package io.spillway.config;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.spillway.batch.RowSchema;
import io.spillway.job.Job;
import io.spillway.job.JobStore;
import io.spillway.job.PlanCodec;
import io.spillway.plan.physical.PhysicalPlan;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.slf4j.LoggerFactory;

/** A process of its own that adds jobs as fast as it can, and prints each id once it is stored. */
final class StoreWriter {

    /** Enough for plans that are all alike. */
    static final PlanCodec CODEC = PlanCodec.of(plan -> "{}", json -> plan());

    private StoreWriter() {}

    public static void main(String[] arguments) {
        // The output is for ids only.
        ((Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME)).setLevel(Level.OFF);
        StoreConfigurationTest.service(Path.of(arguments[0]))
                .run(
                        context -> {
                            JobStore store = context.getBean(JobStore.class);
                            for (int i = 0; i < 100_000; i++) {
                                System.out.println(store.add(job("j" + i), "{}", null).id());
                            }
                        });
    }

    static Process start(Path home) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-cp",
                        classPath(),
                        StoreWriter.class.getName(),
                        home.toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    /** Some test launchers keep the class path in a class loader of their own. */
    private static String classPath() {
        return StoreWriter.class.getClassLoader() instanceof URLClassLoader loader
                ? Arrays.stream(loader.getURLs())
                        .map(url -> Path.of(URI.create(url.toString())).toString())
                        .collect(Collectors.joining(File.pathSeparator))
                : System.getProperty("java.class.path");
    }

    static Job job(String id) {
        Instant now = Instant.parse("2026-11-29T10:00:00Z");
        return new Job(
                id,
                "ann",
                null,
                now,
                Duration.ofDays(1),
                now.plus(Duration.ofDays(1)),
                Job.StoredState.READY,
                null,
                "{}",
                "logical",
                "optimized",
                plan(),
                "0".repeat(64),
                1,
                1,
                null);
    }

    private static PhysicalPlan plan() {
        return new PhysicalPlan.Scan("parquet", List.of(), new RowSchema(List.of()));
    }
}
