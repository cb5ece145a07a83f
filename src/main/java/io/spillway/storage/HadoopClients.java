package io.spillway.storage;

import java.io.IOException;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * Hadoop's clients, one for each scheme and authority, made when first asked for. Thread-safe.
 *
 * <p>They are not those of Hadoop's own cache, whose key leaves the configuration out, and a stop
 * of the process does not close them: streams that are under way then may end first.
 */
final class HadoopClients implements AutoCloseable {

    private final Configuration configuration;
    private final Map<String, FileSystem> clients = new HashMap<>();
    private boolean closed;

    HadoopClients(HadoopSettings settings) {
        configuration = configuration(settings);
    }

    /**
     * What Hadoop is told, unless the settings say otherwise: requests that fail are repeated for
     * seconds rather than minutes, since a person may wait for the answer; an S3 read is one
     * request for exactly its range, made on the condition that the object still has its etag.
     */
    private static Configuration configuration(HadoopSettings settings) {
        Configuration c = new Configuration();
        c.setBoolean("fs.automatic.close", false);
        c.set("fs.s3a.impl", "org.apache.hadoop.fs.s3a.S3AFileSystem");
        c.set("fs.s3a.input.stream.type", "classic");
        c.set("fs.s3a.change.detection.source", "etag");
        c.set("fs.s3a.change.detection.mode", "server");
        c.setBoolean("fs.s3a.audit.enabled", false);
        c.setInt("fs.s3a.connection.maximum", 2 * settings.parallelism());
        c.set("fs.s3a.connection.establish.timeout", "15s");
        c.set("fs.s3a.connection.timeout", "30s");
        c.set("fs.s3a.connection.request.timeout", "60s");
        c.setInt("fs.s3a.attempts.maximum", 3);
        c.setInt("fs.s3a.retry.limit", 3);
        c.set("fs.s3a.retry.interval", "200ms");
        c.setInt("fs.s3a.retry.throttle.limit", 10);
        settings.resources()
                .forEach(file -> c.addResource(new Path(file.toAbsolutePath().toUri())));
        settings.properties().forEach(c::set);
        return c;
    }

    /** The client for a file; waits for whatever its first use needs. */
    synchronized FileSystem client(HadoopUri file) throws IOException {
        if (closed) {
            throw new IOException("closed");
        }
        FileSystem client = clients.get(file.root());
        if (client == null) {
            client = FileSystem.newInstance(URI.create(file.root()), configuration);
            clients.put(file.root(), client);
        }
        return client;
    }

    @Override
    public synchronized void close() throws IOException {
        closed = true;
        for (FileSystem client : clients.values()) {
            client.close();
        }
        clients.clear();
    }
}
