package io.spillway.scan.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.batch.ColumnSchema;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.scan.ScanTask;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;
import net.jqwik.api.constraints.IntRange;
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.schema.MessageType;
import org.jspecify.annotations.Nullable;

/** Nested columns of any shape that parquet-java wrote, in all the forms that schemas have. */
class NestedFilesTest {

    private static final Set<ErrorCode> ALLOWED =
            EnumSet.of(
                    ErrorCode.FILE_CORRUPT,
                    ErrorCode.FILE_NOT_SUPPORTED,
                    ErrorCode.SCHEMA_MISMATCH,
                    ErrorCode.MEMORY_LIMIT);

    @Provide
    Arbitrary<ParquetFile.Options> layouts() {
        return Combinators.combine(
                        Arbitraries.of(WriterVersion.PARQUET_1_0, WriterVersion.PARQUET_2_0),
                        Arbitraries.of(
                                CompressionCodecName.UNCOMPRESSED, CompressionCodecName.ZSTD),
                        Arbitraries.of(true, false),
                        Arbitraries.of(1, 3, 20, 1000),
                        Arbitraries.of(64, 200, 1 << 20),
                        Arbitraries.of(2000L, 128L << 20))
                .as(ParquetFile.Options::new);
    }

    @Property(tries = 30)
    void readsWhatWasWritten(
            @ForAll long seed,
            @ForAll("layouts") ParquetFile.Options layout,
            @ForAll @IntRange(max = 200) int rowCount,
            @ForAll @IntRange(max = 5) int depth)
            throws IOException {
        check(seed, layout, rowCount, depth);
    }

    @Tag("long")
    @Property(tries = 500)
    void readsWhatWasWrittenAtLength(
            @ForAll long seed,
            @ForAll("layouts") ParquetFile.Options layout,
            @ForAll @IntRange(max = 1500) int rowCount,
            @ForAll @IntRange(max = 8) int depth)
            throws IOException {
        check(seed, layout, rowCount, depth);
    }

    private static void check(long seed, ParquetFile.Options layout, int rowCount, int depth)
            throws IOException {
        NestedData data = new NestedData(seed);
        Random random = new Random(seed);
        List<NestedData.Field> columns = new ArrayList<>();
        for (int i = random.nextInt(3); i >= 0; i--) {
            columns.add(data.column("c" + i, depth));
        }
        MessageType type = new MessageType("m", columns.stream().map(NestedData::parquet).toList());
        List<Group> groups = new ArrayList<>();
        List<List<@Nullable String>> expected = new ArrayList<>();
        for (int i = 0; i < rowCount; i++) {
            Group group = new SimpleGroup(type);
            List<@Nullable String> texts = new ArrayList<>();
            for (NestedData.Field column : columns) {
                Object value = data.value(column);
                NestedData.add(group, column, value);
                texts.add(NestedData.text(column, value));
            }
            groups.add(group);
            expected.add(texts);
        }
        Path file = Files.createTempFile("nested", ".parquet");
        Files.delete(file);
        try (Scans scans = new Scans()) {
            ParquetFile.write(file, type, groups, layout);
            List<ColumnSchema> schema = columns.stream().map(NestedData::schema).toList();
            assertThat(scans.format.metadata(scans.status(file)).schema().columns())
                    .isEqualTo(schema);
            for (int batchRows : new int[] {1, 3, 7, 1000}) {
                Values.assertSame(scans.all(file, batchRows), expected);
            }
            if (rowCount > 0) {
                ScanTask task = scans.task(file, 0);
                long from = random.nextLong(task.rows() + 1);
                long to = from + random.nextLong(task.rows() - from + 1);
                Values.assertSame(
                        scans.read(Scans.rows(task, from, to), 1 + random.nextInt(50)),
                        expected.subList((int) from, (int) to));
            }
        } finally {
            Files.deleteIfExists(file);
        }
    }

    /** Bytes changed anywhere: rows, as many as the footer tells, or a typed error. */
    @Property(tries = 20)
    void filesThatAreDamaged(
            @ForAll long seed,
            @ForAll("layouts") ParquetFile.Options layout,
            @ForAll @IntRange(min = 1, max = 4) int depth)
            throws IOException {
        damage(seed, layout, depth);
    }

    @Tag("long")
    @Property(tries = 300)
    void filesThatAreDamagedAtLength(
            @ForAll long seed,
            @ForAll("layouts") ParquetFile.Options layout,
            @ForAll @IntRange(min = 1, max = 6) int depth)
            throws IOException {
        damage(seed, layout, depth);
    }

    private static void damage(long seed, ParquetFile.Options layout, int depth)
            throws IOException {
        Random random = new Random(seed);
        NestedData data = new NestedData(seed);
        NestedData.Field column = data.column("c", depth);
        MessageType type = new MessageType("m", NestedData.parquet(column));
        List<Group> groups = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            Group group = new SimpleGroup(type);
            NestedData.add(group, column, data.value(column));
            groups.add(group);
        }
        Path file = Files.createTempFile("nested", ".parquet");
        Files.delete(file);
        try {
            ParquetFile.write(file, type, groups, layout);
            byte[] good = Files.readAllBytes(file);
            for (int i = 0; i < 10; i++) {
                byte[] bad = good.clone();
                for (int n = random.nextInt(3); n >= 0; n--) {
                    bad[4 + random.nextInt(bad.length - 12)] = (byte) random.nextInt(256);
                }
                Files.write(file, bad);
                try (Scans scans = new Scans()) {
                    scans.all(file, 30);
                } catch (SpillwayException e) {
                    assertThat(e.code()).isIn(ALLOWED);
                }
            }
        } finally {
            Files.deleteIfExists(file);
        }
    }
}
