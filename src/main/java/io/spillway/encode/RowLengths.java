package io.spillway.encode;

/**
 * Finds where rows end in a chunk of JSON rows of the layout {@link
 * JsonFormat.Layout#ARRAY_ELEMENTS}. The chunk stays its owner's.
 */
public final class RowLengths {

    private final EncodedChunk chunk;
    private int at;

    /** From the chunk's first row on. */
    public RowLengths(EncodedChunk chunk) {
        this.chunk = chunk;
    }

    public boolean hasNext() {
        return at < chunk.length();
    }

    /** Bytes of the next row, with the comma before it. */
    public int next() {
        int start = at;
        int depth = 0;
        boolean inText = false;
        for (int i = start + 1; i < chunk.length(); i++) {
            byte b = chunk.bytes().getByte(i);
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
                at = i;
                return i - start;
            }
        }
        at = chunk.length();
        return at - start;
    }
}
