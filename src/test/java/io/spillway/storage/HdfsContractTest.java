package io.spillway.storage;

import io.spillway.testing.HdfsServer;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

/** The contract by files of an HDFS. */
class HdfsContractTest extends FileSystemContract {

    private static final String FOLDER = "/contract";

    private static FileSystems systems;
    private static FileSystem client;

    @BeforeAll
    static void connect() throws IOException {
        Configuration configuration = new Configuration();
        configuration.setInt("dfs.replication", 1);
        client = FileSystem.newInstance(URI.create(HdfsServer.shared().uri()), configuration);
        systems = FileSystems.of(List.of("hdfs"), new HadoopSettings(Map.of(), List.of(), 16));
    }

    @AfterAll
    static void disconnect() throws IOException {
        systems.close();
        client.close();
    }

    @BeforeEach
    void empty() throws IOException {
        client.delete(new Path(FOLDER), true);
        client.mkdirs(new Path(FOLDER));
    }

    @Override
    FileSystemAccess files() {
        return Objects.requireNonNull(systems.byScheme().get("hdfs"));
    }

    @Override
    String root() {
        return HdfsServer.shared().uri() + FOLDER;
    }

    private static Path path(String name) {
        return new Path(null, null, FOLDER + "/" + name);
    }

    @Override
    void write(String name, byte[] content) throws IOException {
        try (FSDataOutputStream stream = client.create(path(name), true)) {
            stream.write(content);
        }
    }

    @Override
    void delete(String name) throws IOException {
        client.delete(path(name), false);
    }

    @Override
    List<String> leftovers() throws IOException {
        List<String> names = new ArrayList<>();
        for (String folder : List.of(FOLDER, FOLDER + "/a")) {
            for (var file : client.listStatus(new Path(folder))) {
                if (file.getPath().getName().startsWith(".")) {
                    names.add(file.getPath().getName());
                }
            }
        }
        return names;
    }
}
