package io.spillway.config;

import java.nio.file.Path;

/** The JDBC URL of the job store. */
final class StoreUrl {

    private static final String FILE_NAME = "jobs";

    /**
     * How H2 keeps the file.
     *
     * <ul>
     *   <li>{@code WRITE_DELAY=0}: a commit is in the file before the call returns (by default H2
     *       collects half a second of them), so that no job that was answered for is lost when the
     *       process is killed. The file is append-only with checksums; H2 goes back to the last
     *       whole commit when it opens it.
     *   <li>{@code DB_CLOSE_ON_EXIT=FALSE}: the connection pool closes the database after the last
     *       request, not a hook of H2's that runs beside it.
     *   <li>{@code LOCK_TIMEOUT}: milliseconds that a write waits for another on the same row.
     * </ul>
     *
     * The file lock is the operating system's: it goes with the process, so a killed one leaves
     * none behind, and a second process on the same home is refused.
     */
    private static final String H2_OPTIONS =
            ";FILE_LOCK=FS;WRITE_DELAY=0;DB_CLOSE_ON_EXIT=FALSE;LOCK_TIMEOUT=10000";

    private StoreUrl() {}

    /** The configured URL, or that of an H2 file in the home, which is made if it is missing. */
    static String of(SpillwayProperties settings) {
        String url = settings.store().url();
        return url == null ? h2(settings.home()) : url;
    }

    /** A URL that may be shown: parameters may hold a password. */
    static String withoutParameters(String url) {
        return url.split("[;?]", 2)[0];
    }

    private static String h2(Path home) {
        Path folder = home.toAbsolutePath().normalize();
        if (folder.toString().indexOf(';') >= 0) {
            throw new StartupException(
                    "H2 takes no ';' in the path of its file: " + folder,
                    "Choose another spillway.home, or set spillway.store.url.",
                    null);
        }
        return "jdbc:h2:file:" + Home.make(home).resolve(FILE_NAME) + H2_OPTIONS;
    }
}
