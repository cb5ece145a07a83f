package io.spillway.config;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.spillway.cursor.Cursor;
import io.spillway.cursor.CursorToken;
import io.spillway.job.Job;
import io.spillway.job.JobStore;
import io.spillway.job.PlanCodec;
import io.spillway.testing.PostgresServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcClientAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/** The store as the service wires it: Boot's data source, migrations and transactions. */
class StoreConfigurationTest {

    // Without @Configuration, so that the service does not find it where tests are on its class
    // path.
    @Import(StoreConfiguration.class)
    static class Application {

        @Bean
        PlanCodec planCodec() {
            return StoreWriter.CODEC;
        }
    }

    private static final String DIGEST = "0123456789abcdef".repeat(4);

    @TempDir
    @SuppressWarnings("NullAway.Init") // set before each test
    private Path folder;

    static ApplicationContextRunner service(Path home) {
        return new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(
                                DataSourceAutoConfiguration.class,
                                DataSourceTransactionManagerAutoConfiguration.class,
                                JdbcTemplateAutoConfiguration.class,
                                JdbcClientAutoConfiguration.class,
                                FlywayAutoConfiguration.class))
                .withUserConfiguration(Application.class)
                .withPropertyValues("spillway.home=" + home);
    }

    @Test
    void aCursorFromBeforeARestartWorks() {
        Cursor cursor = new Cursor("j1", DIGEST, 417);
        List<String> token = new ArrayList<>();
        service(folder.resolve("home")).run(before -> token.add(tokens(before).encode(cursor)));
        service(folder.resolve("home"))
                .run(
                        after ->
                                assertThat(tokens(after).verify(token.getFirst(), "j1", DIGEST))
                                        .isEqualTo(cursor));
    }

    @Test
    void theHomeIsMadeForItsOwnerOnly() {
        Path home = folder.resolve("a/b c/home");
        service(home)
                .run(
                        context -> {
                            assertThat(context).hasNotFailed();
                            assertThat(home.resolve("jobs.mv.db")).isRegularFile();
                            assertThat(Files.getPosixFilePermissions(home))
                                    .extracting(Enum::name)
                                    .containsExactlyInAnyOrder(
                                            "OWNER_READ", "OWNER_WRITE", "OWNER_EXECUTE");
                        });
    }

    @Test
    void aHomeBelongsToOneProcess() throws IOException, InterruptedException {
        Path home = folder.resolve("home");
        Process other = StoreWriter.start(home);
        try {
            assertThat(read(other).readLine()).isEqualTo("j0");
            service(home)
                    .run(
                            context ->
                                    assertThat(context)
                                            .getFailure()
                                            .hasRootCauseInstanceOf(Exception.class)
                                            .hasStackTraceContaining("cannot be opened")
                                            .satisfies(
                                                    failure ->
                                                            assertThat(
                                                                            new StartupFailureAnalyzer()
                                                                                    .analyze(
                                                                                            failure))
                                                                    .isNotNull()));
        } finally {
            other.destroyForcibly().waitFor();
        }
    }

    @Test
    void aKilledProcessLosesNoJobThatItAnsweredFor() throws IOException, InterruptedException {
        Path home = folder.resolve("home");
        Process writer = StoreWriter.start(home);
        String last = null;
        try (BufferedReader answers = read(writer)) {
            for (int i = 0; i < 50; i++) {
                last = answers.readLine();
            }
            writer.toHandle().destroyForcibly(); // and leaves what it has printed to be read
            for (String more = answers.readLine(); more != null; more = answers.readLine()) {
                last = more;
            }
        }
        assertThat(writer.waitFor(10, TimeUnit.SECONDS)).isTrue();
        int answered = Integer.parseInt(String.valueOf(last).substring(1)) + 1;
        service(home)
                .run(
                        context -> {
                            JobStore store = context.getBean(JobStore.class);
                            for (int i = 0; i < answered; i++) {
                                assertThat(store.find("j" + i)).as("job %d", i).isPresent();
                            }
                            Job next = StoreWriter.job("next");
                            assertThat(store.add(next, "{}", null)).isEqualTo(next);
                        });
    }

    @Test
    void aHomeThatCannotBeMadeStopsTheStart() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "");
        service(file.resolve("home"))
                .run(
                        context ->
                                assertThat(context)
                                        .getFailure()
                                        .hasStackTraceContaining("cannot be made"));
        service(folder.resolve("a;b"))
                .run(
                        context ->
                                assertThat(context)
                                        .getFailure()
                                        .hasStackTraceContaining("H2 takes no ';'"));
    }

    @Test
    void replicasShareAPostgresDatabase() throws IOException {
        try (PostgresServer postgres = PostgresServer.start()) {
            ApplicationContextRunner replica =
                    service(folder.resolve("unused"))
                            .withPropertyValues(
                                    "spillway.store.url=" + postgres.address(),
                                    "spillway.store.username=postgres",
                                    "spillway.store.connections=2");
            Cursor cursor = new Cursor("j1", DIGEST, 5);
            replica.run(
                    one ->
                            replica.run(
                                    two -> {
                                        assertThat(
                                                        one.getBean(HikariDataSource.class)
                                                                .getMaximumPoolSize())
                                                .isEqualTo(2);
                                        Job job = StoreWriter.job("j1");
                                        one.getBean(JobStore.class).add(job, "{}", null);
                                        assertThat(two.getBean(JobStore.class).find("j1"))
                                                .contains(job);
                                        assertThat(tokens(two).decode(tokens(one).encode(cursor)))
                                                .isEqualTo(cursor);
                                    }));
            assertThat(folder.resolve("unused")).doesNotExist();
        }
    }

    @Test
    void aDatabaseThatIsNotThereStopsTheStartAndShowsNoPassword() {
        service(folder)
                .withPropertyValues(
                        "spillway.store.url=jdbc:postgresql://localhost:1/x?password=geheim&connectTimeout=1")
                .run(
                        context ->
                                assertThat(context)
                                        .getFailure()
                                        .rootCause()
                                        .hasMessageContaining("Connection refused"));
        assertThat(StoreUrl.withoutParameters("jdbc:postgresql://h/x?password=geheim"))
                .isEqualTo("jdbc:postgresql://h/x");
        assertThat(StoreUrl.withoutParameters("jdbc:h2:mem:x;PASSWORD=geheim"))
                .isEqualTo("jdbc:h2:mem:x");
    }

    private static CursorToken tokens(ApplicationContext context) {
        return context.getBean(CursorToken.class);
    }

    private static BufferedReader read(Process process) {
        return process.inputReader(StandardCharsets.UTF_8);
    }
}
