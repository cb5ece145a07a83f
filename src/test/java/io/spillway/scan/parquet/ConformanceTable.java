package io.spillway.scan.parquet;

import static io.spillway.error.ErrorCode.FILE_CORRUPT;
import static io.spillway.error.ErrorCode.FILE_NOT_SUPPORTED;

import io.spillway.error.ErrorCode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The right answer for every file of the suite. The format's rules decide, not what one engine
 * does; where DuckDB follows the rules, its values are the measure.
 */
final class ConformanceTable {

    private static final String ENCRYPTED = "encrypted";

    private ConformanceTable() {}

    static List<ConformanceCase> cases() {
        return Stream.of(
                        flat(),
                        encodings(),
                        checksums(),
                        codecs(),
                        nested(),
                        logical(),
                        sealed(),
                        bad())
                .flatMap(List::stream)
                .toList();
    }

    private static List<ConformanceCase> flat() {
        return List.of(
                duckDb(
                        "alltypes_dictionary",
                        2,
                        "Dictionaries named as old writers name them; INT96 timestamps"),
                duckDb(
                        "alltypes_plain",
                        8,
                        "All columns in dictionaries; texts without annotation are bytes"),
                duckDb("alltypes_plain.snappy", 2, "The same types, compressed"),
                duckDb("alltypes_tiny_pages", 7300, "Pages of a few values, with page index"),
                duckDb("alltypes_tiny_pages_plain", 7300, "The same without dictionaries"),
                duckDb("binary", 12, "Bytes without annotation"),
                duckDb(
                        "binary_truncated_min_max",
                        12,
                        "Statistics that are cut short bind no value"),
                duckDb("column_chunk_key_value_metadata", 0, "A row group without rows"),
                duckDb("data_index_bloom_encoding_stats", 14, "A Bloom filter without length"),
                duckDb("data_index_bloom_encoding_with_length", 14, "A Bloom filter with length"),
                duckDb(
                        "dict-page-offset-zero",
                        39,
                        "A dictionary offset of 0 means that there is none to speak of; pages come"
                                + " in order"),
                duckDb("nan_in_stats", 2, "NaN as the greatest value in the statistics"),
                duckDb(
                        "nation.dict-malformed",
                        25,
                        "A dictionary page whose sizes in the header leave out what the format"
                                + " allows to leave out"),
                duckDb("nulls.snappy", 8, "A struct that is there, whose only field is null"),
                duckDb(
                        "overflow_i16_page_cnt",
                        40_000,
                        "More pages in a column chunk than 16 bits count"),
                duckDb("single_nan", 1, "A column of one null"),
                duckDb("sort_columns", 6, "Sorting columns in the footer"),
                duckDb(
                        "floating_orders_nan_count",
                        50,
                        "NaN of both signs, and counts of them in the statistics"));
    }

    private static List<ConformanceCase> encodings() {
        return List.of(
                duckDb(
                        "byte_stream_split.zstd",
                        300,
                        "Bytes of floating-point numbers, transposed"),
                new ConformanceCase(
                        "data/byte_stream_split_extended.gzip.parquet",
                        new Expectation.LikeTwins(200, "_plain", "_byte_stream_split"),
                        "Transposed bytes of all types of fixed width, beside the same values"
                                + " plain; DuckDB reads only some of them"),
                csv("delta_binary_packed", 200, "Deltas of 64 and 32 bits in every bit width"),
                csv("delta_byte_array", 1000, "Texts as prefix and rest"),
                csv(
                        "delta_encoding_optional_column",
                        100,
                        "Deltas of numbers and texts among nulls"),
                csv("delta_encoding_required_column", 100, "Deltas of numbers and texts"),
                duckDb("delta_length_byte_array", 1000, "Lengths of texts as deltas"),
                duckDb("rle_boolean_encoding", 68, "Truth values in runs"),
                duckDb("fixed_length_byte_array", 1000, "Bytes of fixed length among nulls"),
                duckDb("int32_with_null_pages", 1000, "Pages that hold nothing but nulls"),
                duckDb("datapage_v2.snappy", 5, "Pages of version 2; runs, deltas and a list"),
                duckDb(
                        "datapage_v2_empty_datapage.snappy",
                        1,
                        "A page of version 2 without any value bytes to decompress"),
                duckDb(
                        "page_v2_empty_compressed",
                        10,
                        "Only nulls in a compressed page of version 2"));
    }

    private static List<ConformanceCase> checksums() {
        return List.of(
                duckDb("datapage_v1-uncompressed-checksum", 5120, "Checksums of stored pages"),
                duckDb(
                        "datapage_v1-snappy-compressed-checksum",
                        5120,
                        "Checksums of compressed pages"),
                duckDb(
                        "plain-dict-uncompressed-checksum",
                        1000,
                        "A checksum of the dictionary, named as old writers name it"),
                duckDb("rle-dict-snappy-checksum", 1000, "A checksum of the compressed dictionary"),
                fails(
                        "data/datapage_v1-corrupt-checksum.parquet",
                        FILE_CORRUPT,
                        "checksum",
                        "Two pages do not match their checksums; other engines do not look"),
                fails(
                        "data/rle-dict-uncompressed-corrupt-checksum.parquet",
                        FILE_CORRUPT,
                        "checksum",
                        "The dictionary does not match its checksum; other engines do not look"));
    }

    private static List<ConformanceCase> codecs() {
        List<List<String>> trio =
                rows(
                        "1593604800|616263|42.0",
                        "1593604800|646566|7.7",
                        "1593604801|616263|42.125",
                        "1593604801|646566|7.7");
        return List.of(
                duckDb(
                        "concatenated_gzip_members",
                        513,
                        "A page of several gzip members, all of which count"),
                exactly(
                        "data/hadoop_lz4_compressed.parquet",
                        trio,
                        "LZ4 in the frame that Hadoop puts around it"),
                exactly(
                        "data/non_hadoop_lz4_compressed.parquet",
                        trio,
                        "The same codec number, but bare LZ4 blocks"),
                exactly(
                        "data/lz4_raw_compressed.parquet",
                        trio,
                        "The codec that was added to end that doubt"),
                new ConformanceCase(
                        "data/hadoop_lz4_compressed_larger.parquet",
                        new Expectation.LikeFile(10_000, "data/lz4_raw_compressed_larger.parquet"),
                        "Hadoop's frame over several blocks"),
                duckDb("lz4_raw_compressed_larger", 10_000, "A bare block of some size"),
                fails(
                        "data/large_string_map.brotli.parquet",
                        FILE_NOT_SUPPORTED,
                        "BROTLI",
                        "No Brotli library is shipped; known from the footer, so before any row"));
    }

    private static List<ConformanceCase> nested() {
        return List.of(
                duckDb("list_columns", 3, "Lists in three levels, among nulls"),
                duckDb("nested_lists.snappy", 3, "Lists of lists of lists"),
                duckDb("nested_maps.snappy", 6, "Maps of maps"),
                duckDb("nested_structs.rust", 1, "216 columns in structs"),
                duckDb(
                        "nonnullable.impala",
                        1,
                        "Structs, lists and maps in each other, nothing null"),
                duckDb(
                        "nullable.impala",
                        7,
                        "Structs, lists and maps in each other, null at every level"),
                duckDb(
                        "repeated_no_annotation",
                        6,
                        "A repeated group without annotation is a required list of required"
                                + " structs; one row group a row"),
                duckDb(
                        "repeated_primitive_no_list",
                        4,
                        "Repeated primitives without annotation are required lists"),
                exactly(
                        "data/old_list_structure.parquet",
                        rows("[[1, 2], [3, 4]]"),
                        "Lists in two levels: a repeated group named array is the element itself"),
                exactly(
                        "data/null_list.parquet",
                        rows("[]"),
                        "An empty list whose elements could only be null"),
                exactly(
                        "data/map_no_value.parquet",
                        rows(
                                "<1: null, 2: null, 3: null>|[1, 2, 3]|[1, 2, 3]",
                                "<4: null, 5: null, 6: null>|[4, 5, 6]|[4, 5, 6]",
                                "<7: null, 8: null, 9: null>|[7, 8, 9]|[7, 8, 9]"),
                        "A map without values is the set of its keys, which is read as a list;"
                                + " DuckDB refuses the file"),
                exactly(
                        "data/incorrect_map_schema.parquet",
                        rows("<\"parent\": \"another\", \"name\": \"report\">"),
                        "Keys declared optional, which the format forbids, but none of them is"
                                + " null"));
    }

    private static List<ConformanceCase> logical() {
        return Stream.concat(
                        Stream.of(
                                duckDb("int32_decimal", 24, "Decimals in 32-bit integers"),
                                duckDb("int64_decimal", 24, "Decimals in 64-bit integers"),
                                duckDb("byte_array_decimal", 24, "Decimals in bytes of any length"),
                                duckDb(
                                        "fixed_length_decimal",
                                        24,
                                        "Decimals in bytes of fixed length"),
                                duckDb(
                                        "fixed_length_decimal_legacy",
                                        24,
                                        "Decimals in fewer bytes than their digits might need"),
                                exactly(
                                        "data/float16_nonzeros_and_nans.parquet",
                                        rows(
                                                "null", "1.0", "-2.0", "NaN", "0.0", "-1.0", "-0.0",
                                                "2.0"),
                                        "16-bit floating-point numbers; NaN and both zeros are"
                                                + " kept"),
                                exactly(
                                        "data/float16_zeros_and_nans.parquet",
                                        rows("null", "0.0", "NaN"),
                                        "The same, with statistics of zeros"),
                                exactly(
                                        "data/int96_from_spark.parquet",
                                        rows(
                                                "1704141296123456",
                                                "1704070800000000",
                                                "253402225200000000",
                                                "1735599600000000",
                                                "null",
                                                "9089380393200000000"),
                                        "INT96 timestamps up to the year 290000, which 64-bit"
                                                + " nanoseconds do not hold"),
                                exactly(
                                        "data/unknown-logical-type.parquet",
                                        rows(
                                                "known string 1|756e6b6e6f776e20737472696e672031",
                                                "known string 2|756e6b6e6f776e20737472696e672032",
                                                "known string 3|756e6b6e6f776e20737472696e672033"),
                                        "A logical type that is not known leaves the physical type:"
                                                + " bytes")),
                        Stream.of(
                                        "crs-arbitrary-value:1",
                                        "crs-default:1",
                                        "crs-geography:1",
                                        "crs-projjson:1",
                                        "crs-srid:1",
                                        "geography-lines:499",
                                        "geography-points:500",
                                        "geography-polygons:500",
                                        "geospatial-with-nan:3",
                                        "geospatial:196")
                                .map(s -> s.split(":"))
                                .map(
                                        s ->
                                                duckDb(
                                                        "geospatial/" + s[0],
                                                        Integer.parseInt(s[1]),
                                                        "Geometries are read by their physical"
                                                                + " type: bytes in the well-known"
                                                                + " binary form")))
                .toList();
    }

    private static List<ConformanceCase> sealed() {
        List<ConformanceCase> cases = new ArrayList<>();
        for (String name :
                List.of(
                        "encrypt_columns_and_footer",
                        "encrypt_columns_and_footer_aad",
                        "encrypt_columns_and_footer_bloom_filter",
                        "encrypt_columns_and_footer_ctr",
                        "encrypt_columns_and_footer_disable_aad_storage",
                        "external_key_material_java",
                        "uniform_encryption",
                        "aes256/encrypt_columns_and_footer",
                        "aes256/encrypt_columns_and_footer_ctr",
                        "aes256/encrypt_columns_and_footer_disable_aad_storage",
                        "aes256/uniform_encryption")) {
            cases.add(
                    fails(
                            "data/" + name + ".parquet.encrypted",
                            FILE_NOT_SUPPORTED,
                            ENCRYPTED,
                            "Not even the footer can be read without a key"));
        }
        cases.add(
                new ConformanceCase(
                        "data/encrypt_columns_plaintext_footer.parquet.encrypted",
                        new Expectation.Partly(
                                List.of("boolean_field", "int32_field"),
                                List.of("float_field", "double_field"),
                                IntStream.range(0, 50)
                                        .mapToObj(
                                                i ->
                                                        List.of(
                                                                Boolean.toString(i % 2 == 0),
                                                                Integer.toString(i)))
                                        .toList()),
                        "Two columns are encrypted, the footer and the others are not"));
        cases.add(
                new ConformanceCase(
                        "data/aes256/encrypt_columns_plaintext_footer.parquet.encrypted",
                        new Expectation.Partly(
                                List.of(),
                                List.of(
                                        "boolean_field",
                                        "int32_field",
                                        "int64_field",
                                        "int96_field",
                                        "float_field",
                                        "double_field",
                                        "ba_field",
                                        "flba_field"),
                                IntStream.range(0, 50).mapToObj(_ -> List.<String>of()).toList()),
                        "All columns are encrypted; the footer is not, so that rows can be"
                                + " counted"));
        return cases;
    }

    private static List<ConformanceCase> bad() {
        return List.of(
                new ConformanceCase(
                        "bad_data/ARROW-GH-43605.parquet",
                        new Expectation.Exactly(
                                IntStream.range(0, 21_186).mapToObj(_ -> List.of("0")).toList()),
                        "Dictionary indices of no bits: all are 0, which the format allows for a"
                                + " dictionary of one entry"),
                fails(
                        "bad_data/ARROW-GH-41317.parquet",
                        FILE_CORRUPT,
                        "ends 3 values too early",
                        "Columns of one row group do not have the same number of rows"),
                fails(
                        "bad_data/ARROW-GH-41321.parquet",
                        FILE_CORRUPT,
                        "254 bits",
                        "A page holds fewer levels than its header declares"),
                fails(
                        "bad_data/ARROW-GH-45185.parquet",
                        FILE_CORRUPT,
                        "within a row",
                        "A list goes on that no row has begun"),
                fails(
                        "bad_data/ARROW-GH-47662.parquet",
                        FILE_CORRUPT,
                        "fewer values than rows",
                        "A required column has fewer values than rows"),
                fails(
                        "bad_data/ARROW-RS-GH-6229-DICTHEADER.parquet",
                        FILE_CORRUPT,
                        "outside the file",
                        "A dictionary of a negative number of entries"),
                fails(
                        "bad_data/ARROW-RS-GH-6229-LEVELS.parquet",
                        FILE_CORRUPT,
                        "claims 21 values",
                        "A page holds more levels than the column chunk has values"),
                fails(
                        "bad_data/PARQUET-1481.parquet",
                        FILE_CORRUPT,
                        "footer is damaged",
                        "A physical type that does not exist"));
    }

    private static ConformanceCase duckDb(String name, int rows, String why) {
        return new ConformanceCase(
                "data/" + name + ".parquet", new Expectation.LikeDuckDb(rows), why);
    }

    private static ConformanceCase csv(String name, int rows, String why) {
        return new ConformanceCase("data/" + name + ".parquet", new Expectation.LikeCsv(rows), why);
    }

    private static ConformanceCase exactly(String file, List<List<String>> rows, String why) {
        return new ConformanceCase(file, new Expectation.Exactly(rows), why);
    }

    private static ConformanceCase fails(String file, ErrorCode code, String saying, String why) {
        return new ConformanceCase(file, new Expectation.Fails(code, saying), why);
    }

    /** Rows, their values parted by bars. */
    private static List<List<String>> rows(String... rows) {
        return Arrays.stream(rows).map(r -> List.of(r.split("\\|"))).toList();
    }
}
