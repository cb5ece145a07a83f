package io.spillway.scan.text;

import java.util.List;

/**
 * What stands in a text before its records.
 *
 * @param offset of the first record, in bytes of the text, decompressed
 * @param line 1-based number of the line that begins there
 * @param names of the columns, in their order; empty if the format has none in its head
 */
public record TextHead(int offset, long line, List<String> names) {

    public TextHead {
        names = List.copyOf(names);
    }
}
