package io.spillway.web;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;

/** The forms in which rows can be had; of equally wanted ones the first is taken. */
@SuppressWarnings("ImmutableEnumChecker") // a media type never changes
enum RowMedia {
    JSON("json", MediaType.APPLICATION_JSON),
    NDJSON("ndjson", MediaType.APPLICATION_NDJSON),
    CSV("csv", new MediaType("text", "csv")),
    ARROW("arrow", new MediaType("application", "vnd.apache.arrow.stream")),
    EVENTS("sse", ServerSentEvents.TYPE);

    private final String word;
    private final MediaType type;

    RowMedia(String word, MediaType type) {
        this.word = word;
        this.type = type;
    }

    MediaType type() {
        return type;
    }

    /** The word for it in {@code format}. */
    String word() {
        return word;
    }

    /**
     * The form that a request asks for: {@code format} if it is given, else the best match of
     * {@code Accept}, else JSON.
     *
     * @throws SpillwayException {@code INVALID_PARAMETER}, {@code NOT_ACCEPTABLE}
     */
    static RowMedia of(@Nullable String format, @Nullable List<String> accept) {
        return of(format, accept, Arrays.asList(values()));
    }

    /**
     * The same where only some forms can be had.
     *
     * @param possible these; of equally wanted ones the first is taken
     */
    static RowMedia of(
            @Nullable String format, @Nullable List<String> accept, List<RowMedia> possible) {
        if (format == null) {
            return negotiated(accept, possible);
        }
        RowMedia named = named(format);
        if (!possible.contains(named)) {
            throw notAcceptable(List.of(named.type.toString()), possible);
        }
        return named;
    }

    private static RowMedia named(String format) {
        for (RowMedia media : values()) {
            if (media.word.equals(format)) {
                return media;
            }
        }
        throw Parameters.invalid("format", "There is no format '" + format + "'")
                .with(SpillwayException.FOUND, format)
                .with(
                        SpillwayException.EXPECTED,
                        Arrays.stream(values()).map(RowMedia::word).toList());
    }

    /**
     * RFC 9110, section 12.5.1: how much each form is wanted is told by the most specific range
     * that it is in. Of equally wanted forms, one that was named comes before one that is merely in
     * a wider range.
     */
    private static RowMedia negotiated(@Nullable List<String> accept, List<RowMedia> possible) {
        List<MediaType> ranges;
        try {
            ranges = MediaType.parseMediaTypes(accept == null ? List.of() : accept);
        } catch (InvalidMediaTypeException e) {
            throw notAcceptable(accept, possible);
        }
        if (ranges.isEmpty()) {
            return possible.getFirst();
        }
        RowMedia best = null;
        MediaType bestRange = null;
        for (RowMedia media : possible) {
            MediaType range = range(media, ranges);
            if (range != null
                    && range.getQualityValue() > 0
                    && (bestRange == null || isBetter(range, bestRange, ranges))) {
                best = media;
                bestRange = range;
            }
        }
        if (best == null) {
            throw notAcceptable(accept, possible);
        }
        return best;
    }

    /** The most specific range that a form is in, or null if it is in none. */
    private static @Nullable MediaType range(RowMedia media, List<MediaType> ranges) {
        MediaType found = null;
        for (MediaType range : ranges) {
            if (range.includes(media.type) && (found == null || width(range) < width(found))) {
                found = range;
            }
        }
        return found;
    }

    private static boolean isBetter(MediaType range, MediaType than, List<MediaType> ranges) {
        if (range.getQualityValue() != than.getQualityValue()) {
            return range.getQualityValue() > than.getQualityValue();
        }
        if (width(range) != width(than)) {
            return width(range) < width(than);
        }
        return ranges.indexOf(range) < ranges.indexOf(than);
    }

    private static int width(MediaType range) {
        return range.isWildcardType() ? 2 : range.isWildcardSubtype() ? 1 : 0;
    }

    private static SpillwayException notAcceptable(
            @Nullable List<String> accept, List<RowMedia> possible) {
        return new SpillwayException(
                        ErrorCode.NOT_ACCEPTABLE,
                        "None of the accepted media types can be produced")
                .with(SpillwayException.FOUND, accept)
                .with(
                        SpillwayException.EXPECTED,
                        possible.stream().map(m -> m.type.toString()).toList());
    }
}
