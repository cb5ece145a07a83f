package io.spillway.spool;

import io.spillway.batch.codec.Compression;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * What a spool consists of.
 *
 * @param version of the files' format
 * @param compression of the blocks
 * @param segments in the order of rows
 */
public record SpoolManifest(int version, Compression compression, List<Segment> segments) {

    static final int VERSION = 1;

    private static final JsonMapper MAPPER =
            JsonMapper.builder().enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();

    public SpoolManifest {
        segments = List.copyOf(segments);
    }

    /**
     * A file.
     *
     * @param rows in it, at least one
     * @param bytes of the file
     * @param blockBytes bytes of its largest block
     * @param rawBytes bytes that the columns of its largest block take when they are decoded
     */
    public record Segment(long rows, long bytes, int blockBytes, long rawBytes) {}

    /** Rows of all segments. */
    public long rows() {
        return segments.stream().mapToLong(Segment::rows).sum();
    }

    /** Bytes of all segments. */
    public long bytes() {
        return segments.stream().mapToLong(Segment::bytes).sum();
    }

    /** As JSON text. */
    public String toJson() {
        return MAPPER.writeValueAsString(this);
    }

    /**
     * Reads what {@link #toJson} has written.
     *
     * @throws SpillwayException {@code INTERNAL} if it has not, or another version
     */
    public static SpoolManifest fromJson(String json) {
        try {
            SpoolManifest manifest = MAPPER.readValue(json, SpoolManifest.class);
            if (manifest.version == VERSION) {
                return manifest;
            }
        } catch (JacksonException e) {
            throw new SpillwayException(
                    ErrorCode.INTERNAL, "The manifest of a spool cannot be read", e);
        }
        throw new SpillwayException(
                ErrorCode.INTERNAL, "The manifest of a spool is of another version");
    }
}
