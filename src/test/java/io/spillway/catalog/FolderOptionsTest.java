package io.spillway.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.scan.FileMetadata;
import io.spillway.scan.ScanFile;
import io.spillway.scan.SkippedFile;
import io.spillway.storage.LocalFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.AbstractObjectAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the options of a source make of a folder, over files that are one line of text each. */
@SuppressWarnings("NullAway.Init") // fields are set before each test
class FolderOptionsTest {

    private static final Map<String, Object> SKIP = Map.of("onCorruptFile", "skip");

    @TempDir private Path root;

    private Catalog catalog;

    @BeforeEach
    void open() {
        catalog = catalog(Map.of());
    }

    private Catalog catalog(Map<String, Object> options) {
        return new ConfiguredCatalog(
                Map.of("file", new LocalFiles()),
                List.of(new LineFormat()),
                Map.of("d", new DatasetDefinition("line", List.of(root.toString()), options)),
                List.of(root.toString()),
                100);
    }

    private void write(String name, String line) throws IOException {
        Path file = root.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, line);
    }

    private Snapshot files(String path, Map<String, Object> options) {
        return catalog.files("line", List.of(root + path), options);
    }

    private List<String> names(Snapshot snapshot) {
        return snapshot.files().stream()
                .map(f -> f.status().uri().substring(f.status().uri().lastIndexOf('/') + 1))
                .toList();
    }

    private static AbstractObjectAssert<?, SpillwayException> refused(
            ErrorCode code, ThrowingCallable call) {
        return assertThatThrownBy(call)
                .asInstanceOf(type(SpillwayException.class))
                .satisfies(e -> assertThat(e.code()).as(e.toString()).isEqualTo(code));
    }

    // ---- columns

    @Test
    void filesHoldOnlyWhatTellsThemFromTheOthers() throws IOException {
        write("1", "id:int32 name:utf8 #1");
        write("2", "name:utf8 id:int64 #1");
        write("3", "id:int64 name:utf8 more:bool #1");
        Snapshot snapshot = files("", Map.of());
        assertThat(snapshot.schema().toString()).contains("id", "name", "more");
        assertThat(snapshot.schema().column(0).nullable()).isFalse();
        assertThat(snapshot.schema().column(2).nullable()).as("it is missing in two").isTrue();
        ScanFile first = snapshot.files().getFirst();
        assertThat(first.types()).containsOnlyKeys("id");
        assertThat(first.constants()).containsOnlyKeys("more");
        assertThat(snapshot.files().get(1).types()).isEmpty();
        assertThat(snapshot.files().get(2).types()).isEmpty();
        assertThat(snapshot.files().get(2).constants()).isEmpty();
    }

    @Test
    void aColumnThatOneFileCannotReadIsReadInNone() throws IOException {
        write("1", "id:int64 odd:utf8 #1");
        write("2", "id:int64 odd:! #1");
        write("3", "id:int64 #1");
        Snapshot snapshot = files("", Map.of());
        assertThat(snapshot.schema().names()).containsExactly("id");
        assertThat(snapshot.unreadable())
                .extracting(FileMetadata.UnreadableColumn::name)
                .containsExactly("odd");
        assertThat(snapshot.files().getFirst().constants()).isEmpty();
    }

    @Test
    void aFolderMakesAColumnReadableThatTheFilesDoNot() throws IOException {
        write("odd=1/1", "id:int64 odd:! #1");
        assertThat(files("", Map.of()).schema().names()).containsExactly("id", "odd");
        assertThat(files("", Map.of()).unreadable()).isEmpty();
    }

    @Test
    void theFileThatDoesNotFitIsNamedWithTheOneItDoesNotFit() throws IOException {
        write("1", "id:int32 #1");
        write("2", "id:int32 #1");
        write("3", "id:int64 #1");
        write("4", "id:utf8 #1");
        refused(ErrorCode.SCHEMA_MISMATCH, () -> files("", Map.of()))
                .satisfies(
                        e -> {
                            assertThat(e).hasMessageContaining("int64 in file://" + root + "/1");
                            assertThat(e.context()).containsEntry("file", "file://" + root + "/4");
                            assertThat(e.context()).containsEntry("column", "id");
                            assertThat(e.context()).containsEntry("expected", "int64");
                            assertThat(e.context()).containsEntry("found", "utf8");
                        });
    }

    // ---- folders

    @ParameterizedTest
    @CsvSource({
        "a+b, a+b",
        "a%2Fb, a/b",
        "100%25, 100%",
        "%2525, %25",
        "%ZZ, %ZZ",
        "%, %",
        "%4, %4",
        "x%41%, xA%",
        "S%C3%A3o, S\u00e3o",
        "%C3, %C3",
        "%E3%41, %E3%41",
        "'', ''"
    })
    void foldersAreUnescapedOnce(String folder, String value) {
        assertThat(HiveFolders.unescape(folder)).isEqualTo(value);
    }

    @Test
    void keysAreUnescapedToo() throws IOException {
        write("a%20b=1/=x/y=/1", "id:int64 #1");
        Snapshot snapshot = files("", Map.of());
        assertThat(snapshot.schema().names()).containsExactly("id", "a b", "y");
        assertThat(snapshot.files().getFirst().constants())
                .containsEntry("a b", "1")
                .containsEntry("y", "");
    }

    @Test
    void onlyFoldersBelowWhatIsNamedCount() throws IOException {
        write("year=2024/month=1/1", "id:int64 #1");
        assertThat(files("", Map.of()).schema().names()).containsExactly("id", "year", "month");
        assertThat(files("/year=2024", Map.of()).schema().names()).containsExactly("id", "month");
        assertThat(files("/year=2024/*/1", Map.of()).schema().names())
                .containsExactly("id", "month");
        assertThat(files("/*/month=1/1", Map.of()).schema().names())
                .containsExactly("id", "year", "month");
        assertThat(files("/year=2024/month=1/1", Map.of()).schema().names()).containsExactly("id");
    }

    @Test
    void foldersOfOtherOrderOrKeysAreNoPartitionsUnlessTheyMustBe() throws IOException {
        write("a=1/b=2/1", "id:int64 #1");
        write("b=2/a=1/2", "id:int64 #1");
        assertThat(files("", Map.of()).schema().names()).containsExactly("id");
        refused(ErrorCode.SCHEMA_MISMATCH, () -> files("", Map.of("hivePartitioning", true)))
                .satisfies(e -> assertThat(e.context().get("file")).asString().endsWith("/a=1/2"));
        write("c=1/c=2/1", "id:int64 #1");
        assertThat(files("/c=1", Map.of()).schema().names()).containsExactly("id", "c");
        assertThat(files("/c*", Map.of()).schema().names()).containsExactly("id");
        refused(ErrorCode.SCHEMA_MISMATCH, () -> files("/c*", Map.of("hivePartitioning", true)));
    }

    @Test
    void aSkippedFileHasNoSayInWhatFoldersMean() throws IOException {
        write("a=1/1", "id:int64 #1");
        write("notes.txt", "corrupt");
        assertThat(files("", SKIP).schema().names()).containsExactly("id", "a");
    }

    @Test
    void hiddenFilesAndFoldersAreLeftOutUnlessTheyAreNamed() throws IOException {
        write("part-1", "id:int64 #1");
        for (String hidden :
                List.of("_SUCCESS", ".part-1.crc", "_temporary/0/part-2", ".staging/part-3")) {
            write(hidden, "corrupt");
        }
        assertThat(names(files("", Map.of()))).containsExactly("part-1");
        assertThat(names(files("/*", Map.of()))).containsExactly("part-1");
        assertThat(names(files("/**", Map.of()))).containsExactly("part-1");
        refused(ErrorCode.FILE_CORRUPT, () -> files("/_SUCCESS", Map.of()));
    }

    @Test
    void namesWithGlobCharactersAreTakenAsTheyStandIfTheyExist() throws IOException {
        write("part-[1].x", "a:int64 #1");
        write("part-1.x", "b:int64 #1");
        write("k=[2]/x", "c:int64 #1");
        assertThat(files("/part-[1].x", Map.of()).schema().names()).containsExactly("a");
        assertThat(files("/part-[12].x", Map.of()).schema().names()).containsExactly("b");
        assertThat(files("/k=[2]", Map.of()).schema().names()).containsExactly("c");
        assertThat(files("/k=*", Map.of()).schema().names()).containsExactly("c", "k");
    }

    // ---- corrupt files

    @Test
    void corruptFilesAreSkippedInOrder() throws IOException {
        write("1", "corrupt");
        write("2", "id:int64 #2");
        write("3", "slow corrupt");
        Snapshot snapshot = files("", SKIP);
        assertThat(names(snapshot)).containsExactly("2");
        assertThat(snapshot.skipped())
                .containsExactly(
                        new SkippedFile("file://" + root + "/1", "corrupt"),
                        new SkippedFile("file://" + root + "/3", "corrupt"));
        assertThat(files("/2", SKIP).skipped()).isEmpty();
        refused(ErrorCode.FILE_CORRUPT, () -> files("/[13]", SKIP));
    }

    @ParameterizedTest
    @CsvSource({"fault, READ_FAILED", "strange, FILE_NOT_SUPPORTED"})
    void whatIsNotCorruptIsNeverSkipped(String line, ErrorCode code) throws IOException {
        write("1", "id:int64 #1");
        write("2", line);
        refused(code, () -> files("", SKIP))
                .satisfies(e -> assertThat(e.context().get("file")).asString().endsWith("/2"));
    }

    // ---- options

    @Test
    void formatsMayHaveOptionsOfTheirOwn() throws IOException {
        write("1", "id:int64 #1");
        assertThat(files("", Map.of("shout", true)).schema().names()).containsExactly("ID");
        refused(ErrorCode.NOT_SUPPORTED, () -> files("", Map.of("shoot", true)))
                .satisfies(e -> assertThat(e.context()).containsEntry("suggestion", "shout"));
    }

    @Test
    void optionsOfDatasetsAreCheckedAtTheStartAndMayBeTexts() throws IOException {
        write("a=1/1", "id:int64 #1");
        write("2", "corrupt");
        Catalog texts =
                catalog(
                        Map.of(
                                "hivePartitioning",
                                "true",
                                "onCorruptFile",
                                "skip",
                                "partitionTypes",
                                Map.of("a", "int8")));
        assertThat(texts.dataset("d").schema().column(1).type().toString()).isEqualTo("int8");
        assertThat(texts.dataset("d").skipped()).hasSize(1);
        refused(ErrorCode.NOT_SUPPORTED, () -> catalog(Map.of("onCorruptfiles", "skip")))
                .satisfies(
                        e -> assertThat(e).hasMessageContaining("Dataset 'd': The format 'line'"));
        refused(ErrorCode.INVALID_PLAN, () -> catalog(Map.of("schema", "merge")));
        refused(
                ErrorCode.TYPE_MISMATCH,
                () -> catalog(Map.of("partitionTypes", Map.of("a", "integer"))));
    }
}
