package io.spillway.testing;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.postgresql.PostgreSQLContainer;

/**
 * A PostgreSQL server of a test's own: in a container where a Docker engine answers, else a process
 * on this machine, so that tests that need one always run.
 */
public final class PostgresServer implements AutoCloseable {

    private static final String IMAGE = "postgres:18-alpine";

    /** Who may do everything, and needs no password. */
    private static final String USER = "postgres";

    /** How a server is stopped. */
    private interface Stop {
        void stop() throws IOException;
    }

    private final String host;
    private final int port;
    private final Stop stop;

    private PostgresServer(String host, int port, Stop stop) {
        this.host = host;
        this.port = port;
        this.stop = stop;
    }

    /** Starts one, and waits until it takes connections. */
    public static PostgresServer start() {
        return DockerClientFactory.instance().isDockerAvailable() ? contained() : local();
    }

    @SuppressWarnings("resource") // closed by the server
    private static PostgresServer contained() {
        PostgreSQLContainer container =
                new PostgreSQLContainer(IMAGE)
                        .withUsername(USER)
                        .withDatabaseName(USER)
                        .withEnv("POSTGRES_HOST_AUTH_METHOD", "trust");
        container.start();
        return new PostgresServer(
                container.getHost(),
                container.getMappedPort(PostgreSQLContainer.POSTGRESQL_PORT),
                container::stop);
    }

    private static PostgresServer local() {
        try {
            EmbeddedPostgres server = EmbeddedPostgres.start();
            return new PostgresServer("localhost", server.getPort(), server::close);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Where the database is that is there from the start, without a user. */
    public String address() {
        return address(USER);
    }

    private String address(String database) {
        return "jdbc:postgresql://" + host + ":" + port + "/" + database;
    }

    /** The same with a user. */
    public String url() {
        return url(USER);
    }

    private String url(String database) {
        return address(database) + "?user=" + USER;
    }

    /** The URL of a database with nothing in it, in place of the one that was made before. */
    public String emptyDatabase() {
        JdbcClient admin = JdbcClient.create(new DriverManagerDataSource(url()));
        admin.sql("DROP DATABASE IF EXISTS spillway WITH (FORCE)").update();
        admin.sql("CREATE DATABASE spillway").update();
        return url("spillway");
    }

    @Override
    public void close() {
        try {
            stop.stop();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
