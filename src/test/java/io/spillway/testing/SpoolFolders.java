package io.spillway.testing;

import io.spillway.expression.Decode;
import io.spillway.job.JdbcSpoolStore;
import io.spillway.spool.SpoolManager;
import io.spillway.storage.LocalFiles;
import java.nio.file.Path;
import java.util.UUID;
import java.util.concurrent.Executor;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.h2.jdbcx.JdbcDataSource;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Spools of tests, of small segments: in a folder, with a database in memory. */
public final class SpoolFolders {

    private static final long QUOTA = 1L << 30;
    private static final long SEGMENT_BYTES = 8 << 10;

    private SpoolFolders() {}

    /** A database with tables, which lives as long as this process. */
    public static DataSource database() {
        JdbcDataSource database = new JdbcDataSource();
        database.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        Flyway.configure().dataSource(database).load().migrate();
        return database;
    }

    /** Spools in a folder, known in a database that others may share. */
    public static SpoolManager manager(
            Path folder, DataSource database, long quota, Executor waiting) {
        return new SpoolManager(
                new JdbcSpoolStore(JdbcClient.create(database)),
                new LocalFiles(),
                folder.toUri().toString().replaceAll("/+$", ""),
                quota,
                SEGMENT_BYTES,
                Decode::decode,
                waiting);
    }

    /** Spools in a folder. */
    public static SpoolManager manager(Path folder, Executor waiting) {
        return manager(folder, database(), QUOTA, waiting);
    }
}
