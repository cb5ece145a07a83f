package io.spillway.delivery;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;

class H2DeliveryStoreTest extends DeliveryStoreContract {

    @SuppressWarnings("NullAway.Init") // set before each test
    private HikariDataSource source;

    @Override
    DataSource emptyDatabase() {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl("jdbc:h2:mem:" + UUID.randomUUID());
        source = new HikariDataSource(config);
        return source;
    }

    @AfterEach
    void close() {
        source.close();
    }
}
