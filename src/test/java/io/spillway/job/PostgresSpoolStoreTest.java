package io.spillway.job;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.spillway.testing.PostgresServer;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;

class PostgresSpoolStoreTest extends SpoolStoreContract {

    @SuppressWarnings("NullAway.Init") // set before all tests
    private static PostgresServer postgres;

    @SuppressWarnings("NullAway.Init") // set before each test
    private HikariDataSource source;

    @BeforeAll
    static void start() {
        postgres = PostgresServer.start();
    }

    @AfterAll
    static void stop() {
        postgres.close();
    }

    @Override
    DataSource emptyDatabase() {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(postgres.emptyDatabase());
        source = new HikariDataSource(config);
        return source;
    }

    @AfterEach
    void close() {
        source.close();
    }
}
