package io.spillway.scan.parquet.footer;

import org.apache.parquet.SemanticVersion;
import org.apache.parquet.VersionParser;
import org.apache.parquet.VersionParser.ParsedVersion;
import org.apache.parquet.VersionParser.VersionParseException;
import org.jspecify.annotations.Nullable;

/**
 * Sizes of chunks that old writers made too small: parquet-mr before 1.2.9 left the header of the
 * dictionary page out of them.
 *
 * @see <a href="https://issues.apache.org/jira/browse/PARQUET-816">PARQUET-816</a>
 */
final class OldSizes {

    /** Bytes that such a header takes at most. */
    private static final int HEADER = 100;

    private static final String WRITER = "parquet-mr";
    private static final SemanticVersion RIGHT_FROM = new SemanticVersion(1, 2, 9);

    private OldSizes() {}

    /** Bytes that may be missing in the sizes of chunks that a writer made. */
    static int missing(@Nullable String createdBy) {
        return createdBy != null && createdBy.startsWith(WRITER) && isBefore(createdBy)
                ? HEADER
                : 0;
    }

    private static boolean isBefore(String createdBy) {
        try {
            ParsedVersion version = VersionParser.parse(createdBy);
            return version.hasSemanticVersion()
                    && version.getSemanticVersion().compareTo(RIGHT_FROM) < 0;
        } catch (VersionParseException e) {
            // The oldest ones do not tell their version.
            return true;
        }
    }
}
