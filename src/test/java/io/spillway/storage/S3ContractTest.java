package io.spillway.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.spillway.testing.S3Server;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

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

    /** This server does not list uploads by their keys, so those of the dead stay. */
    @Override
    List<String> leftovers() {
        return List.of();
    }

    @Test
    void whatIsGivenUpIsNoUploadAnyMore() {
        try (FolderWriter folder = files().createFolder(root() + "/a", "tag")) {
            FileWriter file = folder.create("part");
            file.write(ByteBuffer.wrap(new byte[9 << 20]));
            assertThat(server.uploads(bucket)).containsExactly("a/part");
            file.commit();
            // A part that arrives while its upload is given up may stay, with any store.
            await().until(() -> server.uploadedParts(bucket) == 1);
        }
        assertThat(server.uploads(bucket)).isEmpty();
    }
}
