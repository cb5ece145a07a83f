package io.spillway.scan.parquet;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.scan.parquet.footer.Int96;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The options of the format.
 *
 * @param int96 what INT96 timestamps are read as
 * @param verifyChecksums whether a page whose checksum is not that of its bytes is an error
 */
record ParquetOptions(Int96 int96, boolean verifyChecksums) {

    static final ParquetOptions DEFAULT = new ParquetOptions(Int96.MICROS, true);

    private static final String INT96 = "int96";
    private static final String VERIFY_CHECKSUMS = "verifyChecksums";

    /** Their names. */
    static final Set<String> NAMES = Set.of(INT96, VERIFY_CHECKSUMS);

    /**
     * The options by name; what is not there has its default.
     *
     * @throws SpillwayException {@code INVALID_PLAN} for a value that an option does not have
     */
    static ParquetOptions of(Map<String, ?> values) {
        return new ParquetOptions(
                Int96.of(values.get(INT96)), verifyChecksums(values.get(VERIFY_CHECKSUMS)));
    }

    private static boolean verifyChecksums(@Nullable Object value) {
        return switch (String.valueOf(value)) {
            case "null", "true" -> true;
            case "false" -> false;
            default ->
                    throw new SpillwayException(
                            ErrorCode.INVALID_PLAN,
                            "The option verifyChecksums is true or false, but not " + value);
        };
    }
}
