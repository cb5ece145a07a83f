package io.spillway.config;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.pool.HikariPool;
import io.spillway.cursor.CursorToken;
import io.spillway.cursor.KeyRing;
import io.spillway.cursor.SplitToken;
import io.spillway.job.JdbcJobStore;
import io.spillway.job.JdbcSpoolStore;
import io.spillway.job.JobStore;
import io.spillway.job.PlanCodec;
import io.spillway.spool.SpoolStore;
import java.time.Duration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;

/** The job store and the tokens signed with its keys. Boot's Flyway migrates the data source. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(SpillwayProperties.class)
class StoreConfiguration {

    /** How long a call waits for a connection before the store counts as failed. */
    private static final Duration CONNECTION_TIMEOUT = Duration.ofSeconds(5);

    /** Opens the database, so that one that cannot be used stops the start with a clear message. */
    @Bean
    HikariDataSource dataSource(SpillwayProperties settings) {
        SpillwayProperties.Store store = settings.store();
        HikariConfig config = new HikariConfig();
        config.setPoolName("job-store");
        config.setJdbcUrl(StoreUrl.of(settings));
        config.setUsername(store.username());
        config.setPassword(store.password());
        config.setMaximumPoolSize(store.connections());
        config.setConnectionTimeout(CONNECTION_TIMEOUT.toMillis());
        try {
            return new HikariDataSource(config);
        } catch (HikariPool.PoolInitializationException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new StartupException(
                    "The job store %s cannot be opened: %s"
                            .formatted(
                                    StoreUrl.withoutParameters(config.getJdbcUrl()),
                                    cause.getMessage()),
                    "Check spillway.store.*. The H2 file of a home belongs to one process at a"
                            + " time: stop the other one, give this one a spillway.home of its own, or"
                            + " let both share a PostgreSQL database.",
                    e);
        }
    }

    @Bean
    JobStore jobStore(JdbcClient jdbc, PlatformTransactionManager transactions, PlanCodec plans) {
        return new JdbcJobStore(jdbc, transactions, plans);
    }

    @Bean
    SpoolStore spoolStore(JdbcClient jdbc) {
        return new JdbcSpoolStore(jdbc);
    }

    @Bean
    KeyRing keyRing(JobStore jobs) {
        return new KeyRing(jobs::signingKeys);
    }

    @Bean
    SplitToken splitToken(KeyRing keys) {
        return new SplitToken(keys);
    }

    @Bean
    CursorToken cursorToken(KeyRing keys) {
        return new CursorToken(keys);
    }
}
