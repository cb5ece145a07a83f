package io.spillway.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.job.JdbcSpoolStore;
import io.spillway.spill.SpillManager;
import io.spillway.spool.SpoolManager;
import io.spillway.spool.SpoolStore;
import io.spillway.storage.FileSystems;
import io.spillway.storage.HadoopSettings;
import io.spillway.testing.SpoolFolders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Where rows are written, as the service wires it. */
class DiskConfigurationTest {

    @TempDir
    @SuppressWarnings("NullAway.Init") // set before each test
    private Path folder;

    private ApplicationContextRunner service(String... settings) {
        return new ApplicationContextRunner()
                .withUserConfiguration(Settings.class, DiskConfiguration.class)
                .withPropertyValues("spillway.home=" + folder.resolve("home"))
                .withPropertyValues(settings);
    }

    // Without @Configuration, so that the service does not find it where tests are on its class
    // path.
    @EnableConfigurationProperties(SpillwayProperties.class)
    static class Settings {

        @Bean
        FileSystems fileSystems() {
            return FileSystems.of(List.of(), new HadoopSettings(Map.of(), List.of(), 1));
        }

        @Bean
        ExecutorService waiting() {
            return Executors.newVirtualThreadPerTaskExecutor();
        }

        @Bean
        SpoolStore spoolStore() {
            return new JdbcSpoolStore(JdbcClient.create(SpoolFolders.database()));
        }
    }

    @Test
    void withoutSettingsTheHomeHasThem() {
        service()
                .run(
                        context -> {
                            SpillManager spill = context.getBean(SpillManager.class);
                            assertThat(folder.resolve("home/spill")).isNotEmptyDirectory();
                            assertThat(folder.resolve("home/spool")).isEmptyDirectory();
                            assertThat(context.getBean(SpoolManager.class).quota())
                                    .isEqualTo(256L << 30);
                            assertThat(spill.quota()).isEqualTo(64L << 30);
                        });
        assertThat(folder.resolve("home/spill"))
                .as("nothing but a lock is left at the end")
                .isDirectoryNotContaining("glob:**/process-*");
    }

    @Test
    void twoProcessesMayShareASpillFolder() throws IOException {
        String dir = "spillway.spill.dir=" + Files.createDirectory(folder.resolve("fast"));
        service(dir)
                .run(
                        one ->
                                service(dir)
                                        .run(
                                                two -> {
                                                    assertThat(one).hasNotFailed();
                                                    assertThat(two).hasNotFailed();
                                                }));
    }

    @Test
    void aSpillFolderThatIsNotThereStopsTheStart() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "");
        for (Path dir : new Path[] {folder.resolve("not mounted"), file}) {
            service("spillway.spill.dir=" + dir)
                    .run(
                            context ->
                                    assertThat(context)
                                            .getFailure()
                                            .hasStackTraceContaining(
                                                    "is not there, or is no folder"));
        }
        assertThat(folder.resolve("not mounted")).doesNotExist();
    }

    @Test
    void aSpoolIsMadeWhereItIsNamed() {
        for (String uri :
                new String[] {
                    folder.resolve("as a path") + "/", folder.resolve("as a uri").toUri().toString()
                }) {
            service("spillway.spool.uri=" + uri).run(context -> assertThat(context).hasNotFailed());
        }
        assertThat(folder.resolve("as a path")).isEmptyDirectory();
        assertThat(folder.resolve("as a uri")).isEmptyDirectory();
        assertThat(folder.resolve("home/spool")).doesNotExist();
    }

    @Test
    void aSpoolThatCannotBeWrittenStopsTheStart() {
        service("spillway.spool.uri=/proc/self/spool")
                .run(
                        context ->
                                assertThat(context)
                                        .getFailure()
                                        .hasStackTraceContaining(
                                                "The spool file:///proc/self/spool cannot be"
                                                        + " written"));
        service("spillway.spool.uri=gs://bucket/spool")
                .run(
                        context ->
                                assertThat(context)
                                        .getFailure()
                                        .hasStackTraceContaining(
                                                "is in a file system that is not configured"));
    }

    /** The kernel's own folder takes no files, whoever asks. */
    @Test
    void aSpillFolderThatCannotBeWrittenStopsTheStart() {
        service("spillway.spill.dir=/proc/self")
                .run(
                        context ->
                                assertThat(context)
                                        .getFailure()
                                        .hasStackTraceContaining(
                                                "The spill folder /proc/self cannot be written")
                                        .satisfies(
                                                failure ->
                                                        assertThat(
                                                                        new StartupFailureAnalyzer()
                                                                                .analyze(failure))
                                                                .isNotNull()));
    }
}
