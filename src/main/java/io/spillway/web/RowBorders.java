package io.spillway.web;

import io.spillway.encode.EncodedChunk;

/** Finds where rows end in a chunk of JSON rows, each of which is preceded by a comma. */
final class RowBorders {

    private RowBorders() {}

    /**
     * The first rows of a chunk: as many as have no more than {@code room} bytes together.
     *
     * @param least but at least so many
     * @return the same buffer, with fewer bytes and rows
     */
    static EncodedChunk first(EncodedChunk chunk, long room, int least) {
        int rows = 0;
        int end = 0;
        int depth = 0;
        boolean inText = false;
        for (int i = 1; i <= chunk.length(); i++) {
            byte b = i == chunk.length() ? (byte) ',' : chunk.bytes().getByte(i);
            if (inText) {
                if (b == '\\') {
                    i++;
                } else if (b == '"') {
                    inText = false;
                }
            } else if (b == '"') {
                inText = true;
            } else if (b == '{' || b == '[') {
                depth++;
            } else if (b == '}' || b == ']') {
                depth--;
            } else if (b == ',' && depth == 0) {
                if (i > room && rows >= least) {
                    break;
                }
                rows++;
                end = i;
            }
        }
        return new EncodedChunk(chunk.bytes(), end, rows);
    }
}
