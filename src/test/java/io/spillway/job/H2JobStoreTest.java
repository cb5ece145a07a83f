package io.spillway.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class H2JobStoreTest extends JobStoreContract {

    @TempDir
    @SuppressWarnings("NullAway.Init") // set before each test
    private Path home;

    @SuppressWarnings("NullAway.Init") // set before each test
    private HikariDataSource source;

    @Override
    DataSource emptyDatabase() {
        source = open(home.resolve("jobs"));
        return source;
    }

    static HikariDataSource open(Path file) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(
                "jdbc:h2:file:"
                        + file
                        + ";FILE_LOCK=FS;WRITE_DELAY=0;DB_CLOSE_ON_EXIT=FALSE;LOCK_TIMEOUT=10000");
        return new HikariDataSource(config);
    }

    @AfterEach
    void close() {
        source.close();
    }

    @Test
    void everythingIsThereAfterARestart() {
        Job job = add(job("a", "ann", NOW), key("k", "d"));
        store.saveCounts("a", 5, "counts");
        var keys = store.signingKeys();
        source.close();

        source = open(home.resolve("jobs"));
        JobStore reopened = migrated(source);
        assertThat(reopened.find("a").orElseThrow().rowCount()).isEqualTo(5);
        assertThat(reopened.counts("a")).contains("counts");
        assertThat(reopened.find("ann", key("k", "d")).map(Job::id)).contains(job.id());
        assertThat(reopened.signingKeys()).isEqualTo(keys);
    }

    /** The file as it stands right after a call has returned is what a killed process leaves. */
    @Test
    void whatWasAnsweredForIsInTheFile() throws IOException {
        for (int i = 0; i < 50; i++) {
            Job job = add(job("j" + i, "ann", NOW), null);
            if (i % 10 == 0) {
                Path killed = home.resolve("killed-" + i);
                Files.copy(
                        home.resolve("jobs.mv.db"),
                        Path.of(killed + ".mv.db"),
                        StandardCopyOption.REPLACE_EXISTING);
                try (HikariDataSource copy = open(killed)) {
                    assertThat(on(copy).find("j" + i)).contains(job);
                    assertThat(on(copy).list("ann", null, 100)).hasSize(i + 1);
                }
            }
        }
    }

    @Test
    void aDatabaseThatIsGoneIsATypedError() {
        source.close();
        assertThatThrownBy(() -> store.find("a"))
                .isInstanceOfSatisfying(
                        SpillwayException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.STORE_FAILED));
    }
}
