package io.spillway.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.commons.logging.LogFactory;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assertions;
import org.junit.platform.commons.JUnitException;
import org.opentest4j.AssertionFailedError;
import org.slf4j.Logger;

/**
 * A real HDFS, Hadoop's own small cluster of a name node and a data node, shared by all tests of
 * this JVM.
 */
public final class HdfsServer {

    private static final Pattern DEFAULT_FS =
            Pattern.compile("<name>fs\\.defaultFS</name><value>(hdfs://[^<]+)</value>");

    private final String uri;

    private HdfsServer(String uri) {
        this.uri = uri;
    }

    private static final class Shared {

        private static final HdfsServer SERVER = start();
    }

    /** The server of this JVM; the first caller starts it. */
    public static HdfsServer shared() {
        return Shared.SERVER;
    }

    /** Scheme, host and port. */
    public String uri() {
        return uri;
    }

    private static HdfsServer start() {
        try {
            Path folder = Files.createTempDirectory("hdfs");
            Path configuration = folder.resolve("cluster.xml");
            ServerProcess process =
                    ServerProcess.start(
                            folder,
                            List.of(
                                    ServerProcess.jar("hadoop-client-api.jar"),
                                    ServerProcess.jar("hadoop-client-runtime.jar"),
                                    ServerProcess.jar("hadoop-client-minicluster.jar"),
                                    // What the cluster loads that these jars leave out.
                                    ServerProcess.jarOf(Logger.class),
                                    ServerProcess.jarOf(LogFactory.class),
                                    ServerProcess.jarOf(Assertions.class),
                                    ServerProcess.jarOf(JUnitException.class),
                                    ServerProcess.jarOf(AssertionFailedError.class),
                                    ServerProcess.jarOf(API.class)),
                            "org.apache.hadoop.mapreduce.MiniHadoopClusterManager",
                            "-nomr",
                            "-format",
                            "-writeConfig",
                            configuration.toString());
            process.await(() -> defaultFs(configuration) != null);
            return new HdfsServer(String.valueOf(defaultFs(configuration)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What the cluster says of itself once it is up, or null before. */
    private static @Nullable String defaultFs(Path configuration) {
        try {
            String text = Files.exists(configuration) ? Files.readString(configuration) : "";
            Matcher found = DEFAULT_FS.matcher(text);
            return text.contains("</configuration>") && found.find() ? found.group(1) : null;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
