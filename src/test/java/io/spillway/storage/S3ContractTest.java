package io.spillway.storage;

import io.spillway.testing.S3Server;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

/** The contract by objects of an S3 server. */
class S3ContractTest extends FileSystemContract {

    private static FileSystems systems;
    private final S3Server server = S3Server.shared();
    private String bucket;

    @BeforeAll
    static void connect() {
        S3Server server = S3Server.shared();
        Map<String, String> properties = new HashMap<>(server.properties(server.port()));
        properties.put("fs.s3a.multipart.size", "5M");
        systems = FileSystems.of(List.of("s3"), new HadoopSettings(properties, List.of(), 16));
    }

    @AfterAll
    static void disconnect() {
        systems.close();
    }

    @BeforeEach
    void newBucket() {
        bucket = server.bucket();
    }

    @Override
    FileSystemAccess files() {
        return Objects.requireNonNull(systems.byScheme().get("s3a"));
    }

    @Override
    String root() {
        return "s3a://" + bucket;
    }

    @Override
    void write(String name, byte[] content) {
        server.put(bucket, name, content);
    }

    @Override
    void delete(String name) {
        server.delete(bucket, name);
    }

    @Override
    List<String> leftovers() {
        return server.uploads(bucket);
    }
}
