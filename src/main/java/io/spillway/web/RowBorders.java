package io.spillway.web;

import io.spillway.encode.EncodedChunk;
import io.spillway.encode.RowLengths;

/** Cuts chunks of JSON rows, each of which is preceded by a comma. */
final class RowBorders {

    private RowBorders() {}

    /**
     * The first rows of a chunk: as many as have no more than {@code room} bytes together.
     *
     * @param least but at least so many
     * @return the same buffer, with fewer bytes and rows
     */
    static EncodedChunk first(EncodedChunk chunk, long room, int least) {
        RowLengths lengths = new RowLengths(chunk);
        int rows = 0;
        int end = 0;
        while (lengths.hasNext()) {
            int next = end + lengths.next();
            if (next > room && rows >= least) {
                break;
            }
            rows++;
            end = next;
        }
        return new EncodedChunk(chunk.bytes(), end, rows);
    }
}
