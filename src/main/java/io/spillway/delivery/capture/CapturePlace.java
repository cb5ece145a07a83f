package io.spillway.delivery.capture;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Where the values of one batch are kept.
 *
 * @param firstRow number of the batch's first row
 * @param rows how many it has
 * @param part name of the part that has them
 * @param offset of the first byte in the part
 * @param length bytes there
 * @param kinds what the values of each column are
 */
public record CapturePlace(
        long firstRow, long rows, String part, long offset, int length, List<ValueKind> kinds) {

    private static final int FIELDS = 6;

    public CapturePlace {
        kinds = List.copyOf(kinds);
    }

    /** A text that {@link #parse} reads: to be stored with the batch. */
    public String text() {
        return "%d/%d/%s/%d/%d/%s"
                .formatted(
                        firstRow,
                        rows,
                        part,
                        offset,
                        length,
                        kinds.stream().map(ValueKind::letters).collect(Collectors.joining(",")));
    }

    /**
     * Reads what {@link #text} wrote.
     *
     * @throws IllegalArgumentException for anything else
     */
    public static CapturePlace parse(String text) {
        String[] fields = text.split("/", -1);
        if (fields.length != FIELDS) {
            throw new IllegalArgumentException(text + " is no place of captured values");
        }
        return new CapturePlace(
                Long.parseLong(fields[0]),
                Long.parseLong(fields[1]),
                fields[2],
                Long.parseLong(fields[3]),
                Integer.parseInt(fields[4]),
                Stream.of(fields[5].split(",")).map(ValueKind::parse).toList());
    }
}
