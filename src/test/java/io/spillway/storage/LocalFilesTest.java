package io.spillway.storage;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.error.ErrorCode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LocalFilesTest {

    private final LocalFiles files = new LocalFiles();

    @TempDir Path temp;
    private Path root;

    @BeforeEach
    void realRoot() throws IOException {
        root = temp.toRealPath();
    }

    private Path file(String name) throws IOException {
        Path path = root.resolve(name);
        Files.createDirectories(path.getParent());
        return Files.writeString(path, name);
    }

    private List<String> list(String uri) {
        String prefix = FileUris.of(root) + "/";
        return files.list(uri).stream()
                .map(s -> FileUris.toPath(s.uri()).toString())
                .map(p -> p.substring(FileUris.toPath(prefix).toString().length() + 1))
                .toList();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "plain",
                "a b",
                "100%",
                "100%25",
                "a+b",
                "a#b",
                "what?",
                "x&y=z",
                "[1]",
                "{a,b}",
                "*",
                "a**b",
                "back\\slash",
                "São Paulo",
                "日本",
                "💧",
                "tag=%ZZ",
                "~",
                "'\"",
                "-",
                ";:@"
            })
    void namesRoundTrip(String name) throws IOException {
        Path path = file(name);
        String uri = files.status(path.toString()).uri();

        assertThat(uri).startsWith("file:///").matches("[ -~]+").doesNotContain(" ", "*", "?", "#");
        assertThat(files.status(uri).uri()).isEqualTo(uri);
        assertThat(files.list(uri)).extracting(FileStatus::uri).containsExactly(uri);
        try (RangeReader reader = files.open(files.status(uri))) {
            ByteBuffer bytes = ByteBuffer.allocate((int) Files.size(path));
            reader.readFully(0, bytes);
            assertThat(new String(bytes.array(), StandardCharsets.UTF_8)).isEqualTo(name);
        }
        assertThat(files.status(path.toUri().toString()).uri()).isEqualTo(uri);
    }

    @Test
    void statusTellsSizeTimeAndIdentity() throws IOException {
        Path path = file("a");
        FileStatus first = files.status(path.toString());
        Files.copy(path, root.resolve("b"), StandardCopyOption.COPY_ATTRIBUTES);
        Files.move(root.resolve("b"), path, StandardCopyOption.REPLACE_EXISTING);
        FileStatus second = files.status(path.toString());

        assertThat(first.size()).isEqualTo(1);
        assertThat(first.modifiedMillis())
                .isEqualTo(Files.getLastModifiedTime(path).toMillis())
                .isEqualTo(second.modifiedMillis());
        assertThat(first.identity()).isNotNull().isNotEqualTo(second.identity());
    }

    @Test
    void anOpenFileTellsThatItWasReplaced() throws IOException {
        Path path = file("a");
        try (RangeReader reader = files.open(files.status(path.toString()))) {
            FileStatus before = reader.status();
            Files.move(file("b"), path, StandardCopyOption.REPLACE_EXISTING);

            assertThat(reader.status().identity()).isNotEqualTo(before.identity());
        }
    }

    @ParameterizedTest
    @Listings
    @CsvSource(delimiter = '|', value = "data/../data/*.csv | data/b.csv")
    void lists(String pattern, String expected) throws IOException {
        for (String f : List.of("data/a/2.parquet", "data/a/1.parquet", "data/b.csv")) {
            file(f);
        }
        file("data/_SUCCESS");
        file("data/_tmp/part");
        file("data/.hidden");
        String shown = expected;

        assertThat(list(root + "/" + pattern)).containsExactly(shown.split(";", -1));
        assertThat(list(FileUris.of(root) + "/" + pattern)).containsExactly(shown.split(";", -1));
    }

    @Test
    void globCharactersOfAnExistingNameAreLiteral() throws IOException {
        file("a[1]/x");
        file("a1/y");

        assertThat(list(root + "/a[1]")).containsExactly("a[1]/x");
        assertThat(list(root + "/a[1]/*")).containsExactly("a1/y");
        assertThat(list(FileUris.of(root) + "/a%5B1%5D/*")).containsExactly("a[1]/x");
    }

    @Test
    void sortsByCodePointOfTheUri() throws IOException {
        for (String f : List.of("b", "B", "a", "10", "2", "é", "~")) {
            file("s/" + f);
        }

        assertThat(files.list(root + "/s")).extracting(FileStatus::uri).isSorted().hasSize(7);
    }

    @Test
    void followsLinksOnceEach() throws IOException {
        file("real/deep/x");
        Files.createSymbolicLink(root.resolve("real/deep/up"), root.resolve("real"));
        Files.createSymbolicLink(root.resolve("link"), root.resolve("real"));

        assertThat(list(root + "/link")).containsExactly("link/deep/x");
        assertThat(list(root + "/**/x")).contains("link/deep/x", "real/deep/x");
        assertThat(files.status(root + "/link/deep/x").size()).isEqualTo(11);
    }

    @Test
    void refusesWhatIsNoFile() throws IOException {
        file("folder/x");

        FileSystemContract.fails(ErrorCode.FILE_NOT_FOUND, () -> files.status(root + "/none"));
        FileSystemContract.fails(ErrorCode.FILE_NOT_FOUND, () -> files.status(root + "/folder"));
        FileSystemContract.fails(
                ErrorCode.FILE_NOT_FOUND, () -> files.status(root + "/folder/x/y"));
        FileSystemContract.fails(ErrorCode.FILE_NOT_FOUND, () -> files.status("relative/path"));
        FileSystemContract.fails(ErrorCode.FILE_NOT_FOUND, () -> files.status("file://host/x"));
        FileSystemContract.fails(ErrorCode.FILE_NOT_FOUND, () -> files.status("/nul\0l"));
        FileSystemContract.fails(
                ErrorCode.FILE_NOT_FOUND,
                () -> files.open(new FileStatus(FileUris.of(root) + "/none", 1, 0, null)));
        FileSystemContract.fails(ErrorCode.FILE_NOT_FOUND, () -> files.list(root + "/none"));
        FileSystemContract.fails(ErrorCode.FILE_NOT_FOUND, () -> files.list(root + "/*.none"));
        FileSystemContract.fails(ErrorCode.FILE_NOT_FOUND, () -> files.list("*"));
        FileSystemContract.fails(ErrorCode.INVALID_PARAMETER, () -> files.list(root + "/[a"));
    }

    @Test
    void readsAnyRangeAndSaysWhereAFileEnds() throws IOException {
        Path path = Files.writeString(root.resolve("digits"), "0123456789");
        try (RangeReader reader = files.open(files.status(path.toString()))) {
            ByteBuffer bytes = ByteBuffer.allocateDirect(4);
            reader.readFully(3, bytes);
            assertThat(bytes.flip())
                    .isEqualTo(ByteBuffer.wrap("3456".getBytes(StandardCharsets.US_ASCII)));
            reader.readFully(10, ByteBuffer.allocate(0));
            FileSystemContract.fails(
                    ErrorCode.FILE_CORRUPT, () -> reader.readFully(8, ByteBuffer.allocate(3)));
        }
        RangeReader closed = files.open(files.status(path.toString()));
        closed.close();
        FileSystemContract.fails(
                ErrorCode.READ_FAILED, () -> closed.readFully(0, ByteBuffer.allocate(1)));
    }
}
