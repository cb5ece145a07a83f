package io.spillway.delivery;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.springframework.jdbc.core.simple.JdbcClient;

class PostgresDeliveryStoreTest extends DeliveryStoreContract {

    @SuppressWarnings("NullAway.Init") // set before all tests
    private static EmbeddedPostgres postgres;

    @SuppressWarnings("NullAway.Init") // set before each test
    private HikariDataSource source;

    @BeforeAll
    static void start() throws IOException {
        postgres = EmbeddedPostgres.start();
    }

    @AfterAll
    static void stop() throws IOException {
        postgres.close();
    }

    @Override
    DataSource emptyDatabase() {
        JdbcClient admin = JdbcClient.create(postgres.getPostgresDatabase());
        admin.sql("DROP DATABASE IF EXISTS spillway WITH (FORCE)").update();
        admin.sql("CREATE DATABASE spillway").update();
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(postgres.getJdbcUrl("postgres", "spillway"));
        source = new HikariDataSource(config);
        return source;
    }

    @AfterEach
    void close() {
        source.close();
    }
}
