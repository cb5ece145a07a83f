package io.spillway.job;

import com.zaxxer.hikari.HikariDataSource;
import java.nio.file.Path;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

class H2SpoolStoreTest extends SpoolStoreContract {

    @TempDir
    @SuppressWarnings("NullAway.Init") // set before each test
    private Path home;

    @SuppressWarnings("NullAway.Init") // set before each test
    private HikariDataSource source;

    @Override
    DataSource emptyDatabase() {
        source = H2JobStoreTest.open(home.resolve("jobs"));
        return source;
    }

    @AfterEach
    void close() {
        source.close();
    }
}
