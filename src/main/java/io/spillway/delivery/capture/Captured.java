package io.spillway.delivery.capture;

import java.util.List;

/**
 * What was captured for the rows of one batch.
 *
 * @param firstRow number of the batch's first row
 * @param rows how many it has
 * @param columns what was found for each column, in the order of the form
 */
public record Captured(long firstRow, long rows, List<Found> columns) implements CaptureRead {

    public Captured {
        columns = List.copyOf(columns);
    }

    /**
     * The values of a column.
     *
     * @param json an array of them, one for each row
     */
    record Found(ValueKind kind, Json json) {}

    /** JSON text in UTF-8, compact. */
    static final class Json {

        private final byte[] utf8;

        /** Takes over the bytes. */
        Json(byte[] utf8) {
            this.utf8 = utf8;
        }

        byte[] utf8() {
            return utf8;
        }
    }

    /** Bytes that it takes. */
    public long bytes() {
        return columns.stream().mapToLong(found -> found.json().utf8().length).sum();
    }
}
