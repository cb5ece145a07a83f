package io.spillway.scan.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.management.ThreadMXBean;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.DataPageHeader;
import org.apache.parquet.format.DataPageHeaderV2;
import org.apache.parquet.format.DictionaryPageHeader;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.PageHeader;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Sizes that a file declares and does not have cost no memory: little is allocated, and it fails.
 */
class DeclaredSizesTest {

    private static final int HUGE = 1_000_000_000;
    private static final long FEW_BYTES = 8 << 20;
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    @TempDir Path folder;

    private MutableFile file(WriterVersion version) throws IOException {
        List<List<@Nullable Object>> rows = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            rows.add(List.of(i % 10, "text" + i % 7));
        }
        Path path = folder.resolve("good-" + version + ".parquet");
        Files.deleteIfExists(path);
        ParquetFile.write(
                path,
                "message m { required int32 i; optional binary s (STRING); }",
                rows,
                ParquetFile.Options.DEFAULT.version(version).codec(CompressionCodecName.SNAPPY));
        return MutableFile.of("good", Files.readAllBytes(path));
    }

    /** Reads all of it, and fails if that takes memory or goes well. */
    private SpillwayException refused(byte[] bytes) throws IOException {
        Path path = folder.resolve("bad.parquet");
        Files.write(path, bytes);
        try (Scans scans = new Scans(64 << 20)) {
            long before = THREADS.getTotalThreadAllocatedBytes();
            SpillwayException failure =
                    catchThrowableOfType(SpillwayException.class, () -> scans.all(path, 1024));
            assertThat(THREADS.getTotalThreadAllocatedBytes() - before).isLessThan(FEW_BYTES);
            assertThat(scans.pool.peak()).isLessThan(FEW_BYTES);
            assertThat(failure).isNotNull();
            assertThat(failure.code()).isIn(ErrorCode.FILE_CORRUPT, ErrorCode.MEMORY_LIMIT);
            return failure;
        }
    }

    private void refusedWithHeader(WriterVersion version, Consumer<PageHeader> change)
            throws IOException {
        MutableFile file = file(version);
        for (MutableFile.Span page : file.pages()) {
            PageHeader header = file.pageHeader(page);
            PageHeader changed = header.deepCopy();
            change.accept(changed);
            if (!changed.equals(header)) {
                refused(file.withPageHeader(page, changed));
            }
        }
    }

    private void refusedWithColumn(Consumer<ColumnMetaData> change) throws IOException {
        MutableFile file = file(WriterVersion.PARQUET_1_0);
        for (int column = 0; column < 2; column++) {
            FileMetaData footer = file.footer();
            change.accept(
                    Objects.requireNonNull(
                            MutableFile.chunks(MutableFile.groups(footer).getFirst())
                                    .get(column)
                                    .getMeta_data()));
            refused(file.withFooter(footer));
        }
    }

    @ParameterizedTest
    @EnumSource(WriterVersion.class)
    void valuesOfAPage(WriterVersion version) throws IOException {
        refusedWithHeader(
                version,
                h -> {
                    DataPageHeader first = h.getData_page_header();
                    DataPageHeaderV2 second = h.getData_page_header_v2();
                    if (first != null) {
                        first.setNum_values(HUGE);
                    } else if (second != null) {
                        second.setNum_values(HUGE).setNum_rows(HUGE);
                    }
                });
    }

    @ParameterizedTest
    @EnumSource(WriterVersion.class)
    void entriesOfADictionary(WriterVersion version) throws IOException {
        refusedWithHeader(
                version,
                h -> {
                    DictionaryPageHeader dictionary = h.getDictionary_page_header();
                    if (dictionary != null) {
                        dictionary.setNum_values(HUGE);
                    }
                });
    }

    @ParameterizedTest
    @EnumSource(WriterVersion.class)
    void bytesOfAPage(WriterVersion version) throws IOException {
        refusedWithHeader(version, h -> h.setUncompressed_page_size(Integer.MAX_VALUE));
        refusedWithHeader(version, h -> h.setCompressed_page_size(Integer.MAX_VALUE));
    }

    @Test
    void levelsOfAPage() throws IOException {
        refusedWithHeader(
                WriterVersion.PARQUET_2_0,
                h -> {
                    DataPageHeaderV2 second = h.getData_page_header_v2();
                    if (second != null) {
                        second.setDefinition_levels_byte_length(HUGE);
                    }
                });
    }

    @Test
    void bytesOfAColumn() throws IOException {
        refusedWithColumn(c -> c.setTotal_compressed_size(1L << 40));
    }

    @Test
    void valuesOfAColumn() throws IOException {
        refusedWithColumn(c -> c.setNum_values(1L << 40));
    }

    @Test
    void rowsOfAFile() throws IOException {
        MutableFile file = file(WriterVersion.PARQUET_1_0);
        FileMetaData footer = file.footer();
        footer.setNum_rows(1L << 40);
        MutableFile.groups(footer).getFirst().setNum_rows(1L << 40);

        refused(file.withFooter(footer));
    }

    @Test
    void childrenOfASchema() throws IOException {
        MutableFile file = file(WriterVersion.PARQUET_1_0);
        FileMetaData footer = file.footer();
        Objects.requireNonNull(footer.getSchema()).getFirst().setNum_children(Integer.MAX_VALUE);

        assertThat(refused(file.withFooter(footer)).code()).isEqualTo(ErrorCode.FILE_CORRUPT);
    }

    @Test
    void widthOfAFixedColumn() throws IOException {
        Path path = folder.resolve("fixed.parquet");
        ParquetFile.write(
                path,
                "message m { required fixed_len_byte_array(4) f; }",
                List.of(List.of(new byte[4])),
                ParquetFile.Options.DEFAULT.dictionary(false));
        MutableFile file = MutableFile.of("fixed", Files.readAllBytes(path));
        FileMetaData footer = file.footer();
        Objects.requireNonNull(footer.getSchema()).get(1).setType_length(HUGE);

        refused(file.withFooter(footer));
    }
}
