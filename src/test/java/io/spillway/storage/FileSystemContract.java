package io.spillway.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What holds for files wherever they are. */
abstract class FileSystemContract {

    /** What is under test. */
    abstract FileSystemAccess files();

    /** The URI of a folder that is empty before each test, without a slash at its end. */
    abstract String root();

    /** Writes a file, in place of one that may be there. */
    abstract void write(String name, byte[] content) throws IOException;

    abstract void delete(String name) throws IOException;

    private void write(String name) throws IOException {
        write(name, name.getBytes(StandardCharsets.UTF_8));
    }

    private String uri(String name) {
        return root() + "/" + Percent.encode(name);
    }

    /** The names that a URI below the root stands for. */
    private List<String> list(String uri) {
        return files().list(root() + "/" + uri).stream()
                .map(FileStatus::uri)
                .peek(found -> assertThat(found).startsWith(root() + "/"))
                .map(found -> Percent.decode(found.substring(root().length() + 1)))
                .toList();
    }

    private static byte[] read(RangeReader reader, long position, int length) {
        ByteBuffer bytes = ByteBuffer.allocateDirect(length);
        reader.readFully(position, bytes);
        assertThat(bytes.hasRemaining()).isFalse();
        byte[] array = new byte[length];
        bytes.flip().get(array);
        return array;
    }

    /** As whoever reads a pinned file does: the state is looked at after the bytes. */
    private static void readPinned(RangeReader reader, FileStatus pinned) {
        try {
            read(reader, 0, 1);
        } catch (SpillwayException e) {
            if (e.code() == ErrorCode.FILE_NOT_FOUND || e.code() == ErrorCode.SOURCE_CHANGED) {
                throw e;
            }
            // What else a read may say of a file that is gone; the state tells.
        }
        if (!reader.status().equals(pinned)) {
            throw new SpillwayException(ErrorCode.SOURCE_CHANGED, "changed")
                    .with(SpillwayException.FILE, pinned.uri());
        }
    }

    static void fails(ErrorCode code, ThrowingCallable call) {
        assertThatExceptionOfType(SpillwayException.class)
                .isThrownBy(call)
                .satisfies(e -> assertThat(e.code()).as(e.toString()).isEqualTo(code))
                .satisfies(e -> assertThat(e.context()).containsKey(SpillwayException.FILE));
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
                "a**b",
                "São Paulo",
                "日本",
                "💧",
                "tag=%ZZ",
                "~",
                "'\"",
                ";@",
                "day=2024-01-01/hour=07/part 1.parquet"
            })
    void namesRoundTrip(String name) throws IOException {
        write(name);
        FileStatus status = files().status(uri(name));

        assertThat(status.uri()).isEqualTo(uri(name)).matches("[ -~]+").doesNotContain(" ", "*");
        assertThat(files().list(status.uri())).containsExactly(status);
        assertThat(files().list(root())).containsExactly(status);
        byte[] content = name.getBytes(StandardCharsets.UTF_8);
        try (RangeReader reader = files().open(status)) {
            assertThat(read(reader, 0, content.length)).isEqualTo(content);
        }
    }

    @ParameterizedTest
    @Listings
    void lists(String pattern, String expected) throws IOException {
        for (String f : List.of("data/a/2.parquet", "data/a/1.parquet", "data/b.csv")) {
            write(f);
        }
        write("data/_SUCCESS");
        write("data/_tmp/part");
        write("data/.hidden");
        write("data2/c.csv"); // a name that starts like the folder's

        assertThat(list(pattern)).containsExactly(expected.split(";", -1));
    }

    @Test
    void namesInAUriArePercentEncoded() throws IOException {
        write("data/b.csv");

        assertThat(list("dat%61/b.csv")).containsExactly("data/b.csv");
    }

    @Test
    void globCharactersOfAnExistingNameAreLiteral() throws IOException {
        write("a[1]/x");
        write("a1/y");

        assertThat(list("a[1]")).containsExactly("a[1]/x");
        assertThat(list("a[1]/*")).containsExactly("a1/y");
        assertThat(list("a%5B1%5D/*")).containsExactly("a[1]/x");
    }

    @Test
    void sortsByCodePointOfTheUri() throws IOException {
        for (String f : List.of("b", "B", "a", "10", "2", "é", "~", "a.b", "a-b/c", "😀", "ﬀ")) {
            write("s/" + f);
        }

        assertThat(files().list(root() + "/s")).extracting(FileStatus::uri).isSorted().hasSize(11);
    }

    @Test
    void deepFoldersTakeNoStack() throws IOException {
        String deep = "d/".repeat(150) + "x";
        write(deep);

        assertThat(list("d/**/x")).containsExactly(deep);
        assertThat(list("d")).containsExactly(deep);
    }

    @Test
    void statusAndListingTellTheSame() throws IOException {
        write("a", new byte[1234]);
        FileStatus status = files().status(uri("a"));

        assertThat(status.size()).isEqualTo(1234);
        assertThat(status.modifiedMillis())
                .isBetween(
                        System.currentTimeMillis() - 60_000, System.currentTimeMillis() + 60_000);
        assertThat(files().list(root())).containsExactly(status);
        assertThat(files().list(root() + "/*")).containsExactly(status);
        try (RangeReader reader = files().open(status)) {
            assertThat(reader.status()).isEqualTo(status);
        }
    }

    @Test
    void whatIsNotThereIsNotFound() throws IOException {
        write("folder/x");

        fails(ErrorCode.FILE_NOT_FOUND, () -> files().status(uri("none")));
        fails(ErrorCode.FILE_NOT_FOUND, () -> files().status(uri("folder")));
        fails(ErrorCode.FILE_NOT_FOUND, () -> files().list(uri("none")));
        fails(ErrorCode.FILE_NOT_FOUND, () -> files().list(uri("fold")));
        fails(ErrorCode.FILE_NOT_FOUND, () -> files().list(root() + "/*.none"));
        fails(ErrorCode.FILE_NOT_FOUND, () -> files().list(root() + "/none/*"));
        fails(ErrorCode.INVALID_PARAMETER, () -> files().list(root() + "/[a"));
        fails(
                ErrorCode.FILE_NOT_FOUND,
                () -> {
                    FileStatus none = new FileStatus(uri("none"), 1, 0, "none");
                    try (RangeReader reader = files().open(none)) {
                        readPinned(reader, none);
                    }
                });
    }

    @Test
    void readsAnyRangeSideBySide() throws Exception {
        byte[] content = new byte[3_000_000];
        new Random(7).nextBytes(content);
        write("big", content);
        FileStatus status = files().status(uri("big"));
        try (RangeReader reader = files().open(status);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Random random = new Random(8);
            List<Future<?>> reads = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                int from = random.nextInt(content.length);
                int length = random.nextInt(Math.min(400_000, content.length - from) + 1);
                reads.add(
                        threads.submit(
                                () ->
                                        assertThat(read(reader, from, length))
                                                .isEqualTo(
                                                        Arrays.copyOfRange(
                                                                content, from, from + length))));
            }
            for (Future<?> read : reads) {
                read.get();
            }
            ByteBuffer heap = ByteBuffer.allocate(10).position(2).limit(7);
            reader.readFully(5, heap);
            assertThat(Arrays.copyOfRange(heap.array(), 2, 7))
                    .isEqualTo(Arrays.copyOfRange(content, 5, 10));
            assertThat(heap.array()[7]).isZero();
        }
    }

    @Test
    void saysWhereAFileEnds() throws IOException {
        write("digits", "0123456789".getBytes(StandardCharsets.US_ASCII));
        FileStatus status = files().status(uri("digits"));
        try (RangeReader reader = files().open(status)) {
            reader.readFully(10, ByteBuffer.allocate(0));
            fails(ErrorCode.FILE_CORRUPT, () -> reader.readFully(8, ByteBuffer.allocate(3)));
            assertThat(read(reader, 9, 1)).containsExactly('9');
        }
    }

    @Test
    void emptyFilesAreFiles() throws IOException {
        write("empty", new byte[0]);
        FileStatus status = files().status(uri("empty"));

        assertThat(status.size()).isZero();
        assertThat(files().list(root())).containsExactly(status);
        try (RangeReader reader = files().open(status)) {
            reader.readFully(0, ByteBuffer.allocate(0));
        }
    }

    @Test
    void aFileThatIsReplacedWhileItIsOpenTells() throws IOException {
        write("a", "first".getBytes(StandardCharsets.UTF_8));
        FileStatus first = files().status(uri("a"));
        try (RangeReader reader = files().open(first)) {
            assertThat(read(reader, 0, 5)).isEqualTo("first".getBytes(StandardCharsets.UTF_8));
            write("a", "other".getBytes(StandardCharsets.UTF_8)); // of the same size

            fails(ErrorCode.SOURCE_CHANGED, () -> readPinned(reader, first));
        }
        try (RangeReader reader = files().open(first)) {
            fails(ErrorCode.SOURCE_CHANGED, () -> readPinned(reader, first));
        }
        assertThat(files().status(uri("a"))).isNotEqualTo(first);
    }

    @Test
    void aFileThatIsRemovedWhileItIsOpenTells() throws IOException {
        write("a");
        FileStatus first = files().status(uri("a"));
        try (RangeReader reader = files().open(first)) {
            delete("a");

            fails(ErrorCode.FILE_NOT_FOUND, () -> readPinned(reader, first));
        }
    }

    @Test
    void aClosedReaderFails() throws IOException {
        write("a");
        RangeReader reader = files().open(files().status(uri("a")));
        reader.close();
        reader.close();

        fails(ErrorCode.READ_FAILED, () -> reader.readFully(0, ByteBuffer.allocate(1)));
    }

    @Test
    void whatIsWrittenIsSeenWhenItIsCommitted() {
        String uri = uri("a b/new/part-1");
        byte[] content = new byte[3 << 20];
        new Random(7).nextBytes(content);
        FileStatus made;
        try (FileWriter writer = files().create(uri)) {
            writer.write(ByteBuffer.wrap(content, 0, 100));
            writer.write(
                    ByteBuffer.allocateDirect(content.length - 100)
                            .put(content, 100, content.length - 100)
                            .flip());
            assertThat(writer.position()).isEqualTo(content.length);
            fails(ErrorCode.FILE_NOT_FOUND, () -> files().status(uri));
            fails(ErrorCode.FILE_NOT_FOUND, () -> files().list(root()));
            made = writer.commit();
        }
        assertThat(made).isEqualTo(files().status(uri));
        assertThat(list("")).containsExactly("a b/new/part-1");
        try (RangeReader reader = files().open(made)) {
            assertThat(read(reader, 0, content.length)).isEqualTo(content);
        }
    }

    @Test
    void whatIsGivenUpLeavesNothing() throws IOException {
        write("folder/old", new byte[] {1});
        try (FileWriter writer = files().create(uri("folder/old"))) {
            writer.write(ByteBuffer.wrap(new byte[] {2, 3}));
        }
        try (FileWriter writer = files().create(uri("folder/other"))) {
            writer.write(ByteBuffer.wrap(new byte[1 << 20]));
        }
        assertThat(list("")).containsExactly("folder/old");
        assertThat(files().status(uri("folder/old")).size()).isEqualTo(1);
    }

    @Test
    void aCommitReplacesWhatWasThere() throws IOException {
        write("old", new byte[] {1});
        try (FileWriter writer = files().create(uri("old"))) {
            writer.write(ByteBuffer.wrap(new byte[] {2, 3}));
            writer.commit();
        }
        assertThat(files().status(uri("old")).size()).isEqualTo(2);
    }

    @Test
    void foldersAreDeletedWithAllInThem() throws IOException {
        write("keep/a");
        write("gone/b");
        write("gone/deep/c");
        write("one");
        files().delete(uri("gone"));
        files().delete(uri("one"));
        files().delete(uri("never/was"));
        assertThat(list("")).containsExactly("keep/a");
    }

    private void write(FileWriter writer, int bytes) {
        writer.write(ByteBuffer.wrap(new byte[bytes]));
    }

    @Test
    void aCommitThatIsToKeepWhatIsThereFails() throws IOException {
        try (FileWriter late = files().create(uri("x"), "late", Existing.KEEP);
                FileWriter early = files().create(uri("x"), "early", Existing.KEEP)) {
            write(late, 3);
            write(early, 2);
            assertThat(early.commit().size()).isEqualTo(2);
            fails(ErrorCode.TARGET_EXISTS, late::commit);
        }
        assertThat(files().status(uri("x")).size()).isEqualTo(2);
        assertThat(list("")).containsExactly("x");
    }

    @Test
    void aFolderIsSeenWhenItIsCommitted() {
        try (FolderWriter folder = files().createFolder(uri("a/new one"), "tag")) {
            for (String name : List.of("part 1", "part 2")) {
                try (FileWriter file = folder.create(name)) {
                    write(file, 100_000);
                    assertThat(file.commit().size()).isEqualTo(100_000);
                }
            }
            try (FileWriter file = folder.create("given up")) {
                write(file, 5);
            }
            fails(ErrorCode.FILE_NOT_FOUND, () -> files().list(root()));
            assertThat(files().exists(uri("a/new one"))).isFalse();
            folder.commit();
        }
        assertThat(list("")).containsExactly("a/new one/part 1", "a/new one/part 2");
        assertThat(files().exists(uri("a/new one"))).isTrue();
        assertThat(files().exists(uri("a/new one/part 1"))).isTrue();
        assertThat(files().exists(uri("a/new"))).isFalse();
    }

    @Test
    void aFolderThatIsGivenUpLeavesNothing() throws IOException {
        write("a/other");
        try (FolderWriter folder = files().createFolder(uri("a/b"), "tag")) {
            try (FileWriter file = folder.create("c")) {
                write(file, 5);
                file.commit();
            }
        }
        delete("a/other");
        fails(ErrorCode.FILE_NOT_FOUND, () -> files().list(root()));
    }

    @Test
    void aFolderReplacesNothing() throws IOException {
        write("a/b/old");
        write("a/file");
        for (String name : List.of("a/b", "a/file")) {
            try (FolderWriter folder = files().createFolder(uri(name), "tag")) {
                try (FileWriter file = folder.create("new")) {
                    write(file, 5);
                    file.commit();
                }
                fails(ErrorCode.TARGET_EXISTS, folder::commit);
            }
        }
        assertThat(list("")).containsExactly("a/b/old", "a/file");
    }

    @Test
    @SuppressWarnings("resource") // a process that dies closes nothing
    void whatADeadWriterLeavesIsFoundByItsTag() throws IOException {
        write(files().create(uri("a/file"), "one-1", Existing.KEEP), 9 << 20);
        FolderWriter folder = files().createFolder(uri("a/folder"), "one-1");
        write(folder.create("part"), 9 << 20);
        write(files().create(uri("a/file"), "two-1", Existing.KEEP), 1);
        files().abandon(uri("a/file"), "one-1");
        files().abandon(uri("a/folder"), "one-1");
        files().abandon(uri("a/never"), "one-1");
        files().abandon(uri("a/file"), "two-1");

        assertThat(leftovers()).isEmpty();
    }

    /** Names of what is there though no listing shows it. */
    abstract List<String> leftovers() throws IOException;
}
