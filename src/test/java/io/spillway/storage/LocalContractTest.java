package io.spillway.storage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;

/** The contract by the machine's own disk. */
class LocalContractTest extends FileSystemContract {

    private final LocalFiles files = new LocalFiles();
    @TempDir Path folder;

    @Override
    FileSystemAccess files() {
        return files;
    }

    @Override
    String root() {
        return FileUris.of(folder);
    }

    /** A file is replaced by another, as writers that mean well do. */
    @Override
    void write(String name, byte[] content) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        Path other = Files.createTempFile(folder, ".new", "");
        Files.write(other, content);
        Files.move(other, file, StandardCopyOption.REPLACE_EXISTING);
    }

    @Override
    void delete(String name) throws IOException {
        Files.delete(folder.resolve(name));
    }

    @Override
    List<String> leftovers() throws IOException {
        try (Stream<Path> tree = Files.walk(folder)) {
            return tree.filter(Files::isRegularFile).map(Path::toString).toList();
        }
    }
}
