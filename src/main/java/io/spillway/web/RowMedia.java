package io.spillway.web;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;
import org.springframework.util.MimeTypeUtils;

/** The forms in which rows can be had. */
@SuppressWarnings("ImmutableEnumChecker") // a media type never changes
enum RowMedia {
    JSON("json", MediaType.APPLICATION_JSON),
    NDJSON("ndjson", MediaType.APPLICATION_NDJSON);

    private final String word;
    private final MediaType type;

    RowMedia(String word, MediaType type) {
        this.word = word;
        this.type = type;
    }

    MediaType type() {
        return type;
    }

    /**
     * The form that a request asks for: {@code format} if it is given, else the best match of
     * {@code Accept}, else JSON.
     *
     * @throws SpillwayException {@code INVALID_PARAMETER}, {@code NOT_ACCEPTABLE}
     */
    static RowMedia of(@Nullable String format, @Nullable List<String> accept) {
        if (format != null) {
            for (RowMedia media : values()) {
                if (media.word.equals(format)) {
                    return media;
                }
            }
            throw Parameters.invalid("format", "There is no format '" + format + "'")
                    .with(SpillwayException.FOUND, format)
                    .with(SpillwayException.EXPECTED, List.of(JSON.word, NDJSON.word));
        }
        List<MediaType> wanted = new ArrayList<>();
        try {
            wanted.addAll(MediaType.parseMediaTypes(accept == null ? List.of() : accept));
        } catch (InvalidMediaTypeException e) {
            throw notAcceptable(accept);
        }
        if (wanted.isEmpty()) {
            return JSON;
        }
        wanted.removeIf(type -> type.getQualityValue() == 0);
        MimeTypeUtils.sortBySpecificity(wanted);
        wanted.sort((a, b) -> Double.compare(b.getQualityValue(), a.getQualityValue()));
        for (MediaType type : wanted) {
            for (RowMedia media : values()) {
                if (type.includes(media.type)) {
                    return media;
                }
            }
        }
        throw notAcceptable(accept);
    }

    private static SpillwayException notAcceptable(@Nullable List<String> accept) {
        return new SpillwayException(
                        ErrorCode.NOT_ACCEPTABLE,
                        "None of the accepted media types can be produced")
                .with(SpillwayException.FOUND, accept)
                .with(
                        SpillwayException.EXPECTED,
                        List.of(JSON.type.toString(), NDJSON.type.toString()));
    }
}
