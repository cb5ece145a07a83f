package io.spillway.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.spillway.batch.ColumnType;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.scan.FileMetadata;
import io.spillway.scan.ScanFile;
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

/** Datasets, roots and schemas, over real folders and a format of one line of text. */
@SuppressWarnings("NullAway.Init") // fields are set before each test
class ConfiguredCatalogTest {

    @TempDir private Path folder;

    private Path root;
    private Path outside;
    private final LineFormat format = new LineFormat();

    @BeforeEach
    void makeFolders() throws IOException {
        root = Files.createDirectory(folder.resolve("root"));
        outside = Files.createDirectory(folder.resolve("outside"));
        write(outside.resolve("secret"), "id:int64 #1");
    }

    private Catalog catalog() {
        return catalog(Map.of());
    }

    private Catalog catalog(Map<String, DatasetDefinition> datasets) {
        return new ConfiguredCatalog(
                Map.of("file", new LocalFiles()),
                List.of(format),
                datasets,
                List.of(root.toString()),
                50);
    }

    private static void write(Path file, String line) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, line);
    }

    private Snapshot files(Object... paths) {
        return catalog()
                .files("line", List.of(paths).stream().map(Object::toString).toList(), Map.of());
    }

    private Snapshot files(Map<String, Object> options) {
        return catalog().files("line", List.of(root.toString()), options);
    }

    private static DatasetDefinition line(Object... paths) {
        return new DatasetDefinition(
                "line", List.of(paths).stream().map(Object::toString).toList(), Map.of());
    }

    // ---- what is pinned

    @Test
    void filesArePinnedInTheOrderOfThePathsAndByNameWithinOne() throws IOException {
        write(root.resolve("b/2"), "id:int64 #2");
        write(root.resolve("b/1"), "id:int64 #1,0,4");
        write(root.resolve("a/3"), "id:int64 #3");
        Snapshot snapshot = files(root.resolve("b"), root.resolve("a/*"), root.resolve("b/1"));
        assertThat(snapshot.format()).isEqualTo("line");
        assertThat(snapshot.files())
                .extracting(f -> Path.of(java.net.URI.create(f.status().uri())).getFileName() + "")
                .containsExactly("1", "2", "3", "1");
        assertThat(snapshot.files().getFirst().partitionRows()).containsExactly(1L, 0L, 4L);
        assertThat(snapshot.rows()).isEqualTo(5 + 2 + 3 + 5);
        assertThat(snapshot.files()).extracting(ScanFile::status).doesNotContainNull();
    }

    @Test
    void aFileWithoutRowsKeepsItsSchema() throws IOException {
        write(root.resolve("z"), "k:int64 v:utf8 #0");
        write(root.resolve("zz"), "k:int64 v:utf8 #2");
        assertThat(files(root.resolve("z")).schema().names()).containsExactly("k", "v");
        assertThat(files(root.resolve("z")).rows()).isZero();
        assertThat(files(root.resolve("z"), root.resolve("zz")).schema().names())
                .containsExactly("k", "v");
    }

    @Test
    void columnsAreMatchedByNameAndTheFirstFileGivesTheOrder() throws IOException {
        write(root.resolve("1"), "id:int64 name:utf8 A:bool a:bool #1");
        write(root.resolve("2"), "a:bool name:utf8? id:int64 A:bool #1");
        var schema = files(root).schema();
        assertThat(schema.names()).containsExactly("id", "name", "A", "a");
        assertThat(schema.column(0).nullable()).isFalse();
        assertThat(schema.column(1).nullable()).as("nullable in one is nullable").isTrue();
        assertThat(schema.column(1).type()).isEqualTo(new ColumnType.Utf8());
    }

    @Test
    void columnsThatCannotBeReadAreTold() throws IOException {
        write(root.resolve("1"), "id:int64 odd:! #1");
        write(root.resolve("2"), "odd:! id:int64 #1");
        Snapshot snapshot = files(root);
        assertThat(snapshot.schema().names()).containsExactly("id");
        assertThat(snapshot.unreadable())
                .extracting(FileMetadata.UnreadableColumn::name)
                .containsExactly("odd");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    id:int32 name:utf8 odd:! #1            | id   | is int32 instead of int64
                    name:utf8 odd:! #1                     | id   | is missing
                    id:int64 name:utf8 more:bool odd:! #1  | more | is not in the first file
                    ID:int64 name:utf8 odd:! #1            | id   | is missing
                    id:int64 name:! odd:! #1               | name | is a column that cannot be read instead of utf8
                    id:int64 name:utf8 odd:bool #1         | odd  | is bool instead of a column that cannot be read
                    id:int64 name:utf8 #1                  | odd  | is missing
                    id:int64 name:utf8 odd:! more:! #1     | more | is not in the first file
                    """)
    void filesThatDifferAreRefusedByFileAndColumnIfTheSchemaIsStrict(
            String third, String column, String message) throws IOException {
        write(root.resolve("1"), "id:int64 name:utf8 odd:! #1");
        write(root.resolve("2"), "id:int64 name:utf8 odd:! #1");
        write(root.resolve("3"), third);
        refused(ErrorCode.SCHEMA_MISMATCH, () -> files(Map.of("schema", "strict")))
                .satisfies(
                        e -> {
                            assertThat(e.context().get("file")).asString().endsWith("/root/3");
                            assertThat(e.context()).containsEntry("column", column);
                            assertThat(e).hasMessageContaining(message);
                        });
    }

    @Test
    void theFirstBadFileInOrderIsTheOneReported() throws IOException {
        for (int i = 10; i < 50; i++) {
            write(
                    root.resolve("" + i),
                    i == 23 ? "slow corrupt" : i > 23 ? "corrupt" : "id:int64 #1");
        }
        for (int i = 0; i < 5; i++) {
            refused(ErrorCode.FILE_CORRUPT, () -> files(root))
                    .satisfies(
                            e ->
                                    assertThat(e.context().get("file"))
                                            .asString()
                                            .endsWith("/root/23"));
        }
    }

    @Test
    void metadataIsReadSideBySideWithinABound() throws IOException {
        for (int i = 0; i < 50; i++) {
            write(root.resolve("" + i), "slow id:int64 #1");
        }
        assertThat(files(root).rows()).isEqualTo(50);
        assertThat(format.mostAtOnce()).isBetween(2, 32);
    }

    @Test
    void tooManyFilesAreRefused() throws IOException {
        for (int i = 0; i < 51; i++) {
            write(root.resolve("" + i), "id:int64 #1");
        }
        refused(ErrorCode.PLAN_TOO_LARGE, () -> files(root))
                .satisfies(e -> assertThat(e.context()).containsEntry("limit", 50));
    }

    // ---- datasets

    @Test
    void datasetsAreTrustedAndMayStandAnywhere() throws IOException {
        write(outside.resolve("more"), "id:int64 #4");
        Catalog catalog =
                catalog(
                        Map.of(
                                "b",
                                line(outside.resolve("*")),
                                "a",
                                line(outside.resolve("more"))));
        assertThat(catalog.datasetNames()).containsExactly("a", "b");
        assertThat(catalog.dataset("b").rows()).isEqualTo(5);
    }

    @Test
    void aMistypedDatasetGetsTheNearestName() {
        Catalog catalog =
                catalog(Map.of("trips", line("/x"), "zones", line("/x"), "flights", line("/x")));
        assertSuggestion(catalog, "trip", "trips");
        assertSuggestion(catalog, "Zones", "zones");
        assertSuggestion(catalog, "fligths", "flights");
        refused(ErrorCode.UNKNOWN_DATASET, () -> catalog.dataset("weather"))
                .satisfies(e -> assertThat(e.context()).doesNotContainKey("suggestion"));
        refused(ErrorCode.UNKNOWN_DATASET, () -> catalog.dataset("x".repeat(100_000)));
        refused(ErrorCode.UNKNOWN_DATASET, () -> catalog.dataset(""));
    }

    private static void assertSuggestion(Catalog catalog, String name, String suggestion) {
        refused(ErrorCode.UNKNOWN_DATASET, () -> catalog.dataset(name))
                .satisfies(
                        e -> {
                            assertThat(e).hasMessageContaining("did you mean '" + suggestion + "'");
                            assertThat(e.context()).containsEntry("suggestion", suggestion);
                        });
    }

    @Test
    void aDatasetWhoseFilesAreMissingIsAnErrorWhenItIsAsked() {
        Catalog catalog = catalog(Map.of("gone", line(folder.resolve("gone/*"))));
        refused(ErrorCode.FILE_NOT_FOUND, () -> catalog.dataset("gone"));
    }

    @Test
    void aDatasetThatCouldNeverBeReadStopsTheStart() {
        refused(
                        ErrorCode.NOT_SUPPORTED,
                        () ->
                                catalog(
                                        Map.of(
                                                "d",
                                                new DatasetDefinition(
                                                        "lime", List.of(), Map.of()))))
                .satisfies(
                        e -> assertThat(e).hasMessageContaining("Dataset 'd': There is no format"));
        refused(ErrorCode.NOT_SUPPORTED, () -> catalog(Map.of("d", line("s3://bucket/x"))));
        refused(ErrorCode.PATH_NOT_ALLOWED, () -> catalog(Map.of("d", line("/a/../b"))));
    }

    // ---- formats and options

    @Test
    void unknownFormatsAndOptionsAreNamed() {
        refused(ErrorCode.NOT_SUPPORTED, () -> catalog().files("lin", List.of("/x"), Map.of()))
                .satisfies(e -> assertThat(e.context()).containsEntry("suggestion", "line"));
        refused(
                        ErrorCode.NOT_SUPPORTED,
                        () -> catalog().files("line", List.of("/x"), Map.of("header", true)))
                .satisfies(e -> assertThat(e).hasMessageContaining("no option 'header'"));
        refused(ErrorCode.INVALID_PLAN, () -> catalog().files("line", List.of(), Map.of()));
    }

    // ---- roots

    @Test
    void pathsMayBeWrittenInSeveralWays() throws IOException {
        write(root.resolve("a b+c%.x"), "id:int64 #1");
        write(root.resolve("sub/y"), "id:int64 #1");
        String plain = root + "/a b+c%.x";
        for (String path :
                List.of(
                        plain,
                        "file:" + root + "/a%20b+c%25.x",
                        "file://" + root + "/a%20b+c%25.x",
                        "file://localhost" + root + "/a%20b+c%25.x",
                        "FILE://" + root + "/a%20b%2Bc%25.x",
                        root + "//./a b+c%.x",
                        root + "/a*",
                        root + "/{a,b} b+c%.x")) {
            assertThat(files(path).rows()).as(path).isEqualTo(1);
        }
        assertThat(files(root + "/**").rows()).isEqualTo(2);
        assertThat(files(root).rows()).isEqualTo(2);
        assertThat(files(root + "/").rows()).isEqualTo(2);
    }

    /** Whether the file exists makes no difference. */
    @Test
    void whatStandsOutsideIsRefusedInTheSameWordsWhetherOrNotItExists() throws IOException {
        String there = refusal(outside.resolve("secret").toString()).replace("secret", "?");
        String missing = refusal(outside.resolve("nothing").toString()).replace("nothing", "?");
        assertThat(there).isEqualTo(missing);

        Files.createSymbolicLink(root.resolve("link"), outside);
        Files.createSymbolicLink(root.resolve("file-there"), outside.resolve("secret"));
        Files.createSymbolicLink(root.resolve("file-gone"), outside.resolve("nothing"));
        assertThat(refusal(root + "/link/secret").replace("secret", "?"))
                .isEqualTo(refusal(root + "/link/nothing").replace("nothing", "?"));
        assertThat(refusal(root + "/file-there").replace("there", "?"))
                .isEqualTo(refusal(root + "/file-gone").replace("gone", "?"));
        refusal(root + "/link/*");
        refusal(root + "/link/n*");
    }

    @Test
    void pathsThatLeaveTheRootAreRefused() {
        for (String path :
                List.of(
                        "/etc/passwd",
                        "/",
                        folder.toString(),
                        root + "x/y",
                        root + "/../outside/secret",
                        root + "/..",
                        root + "/a/../b",
                        "file://" + root + "/%2e%2e/outside/secret",
                        "file://" + root + "/a%2F..%2F..%2Foutside/secret",
                        "file://" + root + "/%2E./outside/secret",
                        folder + "/*/secret",
                        folder + "/{root,outside}/*",
                        "relative/path",
                        "",
                        ".",
                        "~/x",
                        root + "/a\0b",
                        "file://" + root + "/a%00b",
                        "file://otherhost" + root + "/a",
                        "file:relative",
                        "file:",
                        "file://" + root + "/%zz",
                        "http://localhost/x",
                        "s3://bucket/key",
                        "hdfs://" + root + "/x",
                        "jar:file:" + root + "/x!/y",
                        "\\\\host\\share")) {
            refusal(path);
        }
    }

    @Test
    void linksInsideTheRootAreFine() throws IOException {
        write(root.resolve("real/x"), "id:int64 #1");
        Files.createSymbolicLink(root.resolve("absolute"), root.resolve("real"));
        Files.createSymbolicLink(root.resolve("relative"), Path.of("sub/../real"));
        Files.createDirectory(root.resolve("sub"));
        Files.createSymbolicLink(root.resolve("sub/up"), Path.of("../real/x"));
        assertThat(files(root + "/absolute/x").rows()).isEqualTo(1);
        assertThat(files(root + "/relative/*").rows()).isEqualTo(1);
        assertThat(files(root + "/sub/up").rows()).isEqualTo(1);
    }

    @Test
    void aLinkToOutsideThatAGlobFindsIsRefused() throws IOException {
        write(root.resolve("a"), "id:int64 #1");
        Files.createSymbolicLink(root.resolve("b"), outside.resolve("secret"));
        refusal(root + "/*");
        refusal(root.toString());
        assertThat(files(root + "/a").rows()).isEqualTo(1);
    }

    @Test
    void linksThatGoInCirclesAreATypedError() throws IOException {
        Files.createSymbolicLink(root.resolve("a"), root.resolve("b"));
        Files.createSymbolicLink(root.resolve("b"), root.resolve("a"));
        refused(ErrorCode.READ_FAILED, () -> files(root + "/a"));
    }

    @Test
    void aRootMayItselfBeALinkAndMayComeLater() throws IOException {
        Path link = Files.createSymbolicLink(folder.resolve("link"), folder.resolve("later"));
        Catalog catalog =
                new ConfiguredCatalog(
                        Map.of("file", new LocalFiles()),
                        List.of(format),
                        Map.of(),
                        List.of(link.toString()),
                        50);
        refused(
                ErrorCode.FILE_NOT_FOUND,
                () -> catalog.files("line", List.of(link + "/x"), Map.of()));
        write(folder.resolve("later/x"), "id:int64 #1");
        assertThat(catalog.files("line", List.of(link + "/x"), Map.of()).rows()).isEqualTo(1);
    }

    @Test
    void withoutRootsNoFileCanBeNamed() throws IOException {
        write(root.resolve("x"), "id:int64 #1");
        Catalog catalog =
                new ConfiguredCatalog(
                        Map.of("file", new LocalFiles()),
                        List.of(format),
                        Map.of("d", line(root)),
                        List.of(),
                        50);
        refused(
                ErrorCode.PATH_NOT_ALLOWED,
                () -> catalog.files("line", List.of(root + "/x"), Map.of()));
        assertThat(catalog.dataset("d").rows()).isEqualTo(1);
    }

    @Test
    void aMissingFileBelowTheRootIsNotFound() {
        refused(ErrorCode.FILE_NOT_FOUND, () -> files(root + "/missing"));
        refused(ErrorCode.FILE_NOT_FOUND, () -> files(root + "/m*"));
    }

    private String refusal(String path) {
        SpillwayException[] seen = new SpillwayException[1];
        refused(ErrorCode.PATH_NOT_ALLOWED, () -> files(path)).satisfies(e -> seen[0] = e);
        return seen[0].getMessage() + seen[0].context();
    }

    private static AbstractObjectAssert<?, SpillwayException> refused(
            ErrorCode code, ThrowingCallable call) {
        return assertThatThrownBy(call)
                .asInstanceOf(type(SpillwayException.class))
                .satisfies(e -> assertThat(e.code()).as(e.toString()).isEqualTo(code));
    }
}
