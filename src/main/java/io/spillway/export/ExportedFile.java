package io.spillway.export;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/**
 * A file that an export has written.
 *
 * @param uri of the file
 * @param rows in it
 * @param bytes of it
 */
public record ExportedFile(String uri, long rows, long bytes) {

    private static final JsonMapper MAPPER = JsonMapper.shared();
    private static final TypeReference<List<ExportedFile>> LIST = new TypeReference<>() {};

    /** Files as JSON text. */
    static String toJson(List<ExportedFile> files) {
        return MAPPER.writeValueAsString(files);
    }

    /** Reads what {@link #toJson} has written. */
    static List<ExportedFile> fromJson(String json) {
        try {
            return List.copyOf(MAPPER.readValue(json, LIST));
        } catch (JacksonException e) {
            throw new SpillwayException(
                    ErrorCode.INTERNAL, "The files of an export cannot be read", e);
        }
    }
}
