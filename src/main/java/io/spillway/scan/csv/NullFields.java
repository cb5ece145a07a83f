package io.spillway.scan.csv;

import io.spillway.batch.OffHeap;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Which fields are NULL: those that are not quoted and hold one of some texts. */
final class NullFields {

    private final byte[][] texts;
    private final boolean empty;

    NullFields(List<String> texts) {
        this.texts =
                texts.stream()
                        .filter(text -> !text.isEmpty())
                        .map(text -> text.getBytes(StandardCharsets.UTF_8))
                        .toArray(byte[][]::new);
        this.empty = texts.contains("");
    }

    /**
     * Whether a field is NULL.
     *
     * @param length with what {@link CsvRecords} knows of it
     */
    boolean isNull(long address, int length) {
        if (length <= 0) {
            return length == 0 && empty;
        }
        for (byte[] text : texts) {
            if (text.length == length && equal(address, text)) {
                return true;
            }
        }
        return false;
    }

    private static boolean equal(long address, byte[] text) {
        for (int i = 0; i < text.length; i++) {
            if (OffHeap.getByte(address + i) != text[i]) {
                return false;
            }
        }
        return true;
    }
}
