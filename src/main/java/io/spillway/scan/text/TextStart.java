package io.spillway.scan.text;

import io.spillway.batch.OffHeap;
import io.spillway.error.ErrorCode;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The beginning of a text, decompressed: its byte order mark, and what else it may turn out to be.
 */
final class TextStart {

    private static final int BOM_BYTES = 3;
    private static final int BOM = 0xBFBBEF;

    private TextStart() {}

    /**
     * What stands before the records.
     *
     * @param last whether the text ends at {@code to}
     * @return null if it does not end there
     * @throws TextFault if it is no text, or none of the format
     */
    static @Nullable TextHead head(TextSyntax syntax, long from, long to, boolean last) {
        long length = to - from;
        if (length < BOM_BYTES && !last) {
            return null;
        }
        checkKind(from, length);
        int mark = length >= BOM_BYTES && (OffHeap.getInt(from) & 0xFFFFFF) == BOM ? BOM_BYTES : 0;
        TextHead head = syntax.head(from + mark, to, last);
        if (head == null) {
            return null;
        }
        Utf8Check.check(from, from + mark + head.offset());
        return new TextHead(mark + head.offset(), head.line(), head.names());
    }

    private static void checkKind(long from, long length) {
        if (length >= 2) {
            int two = OffHeap.getShort(from) & 0xFFFF;
            if (two == 0xFEFF || two == 0xFFFE) {
                throw new TextFault(
                        ErrorCode.FILE_NOT_SUPPORTED,
                        from,
                        "begins as UTF-16, and only UTF-8 is read",
                        null);
            }
        }
        for (String magic : new String[] {"PAR1", "ARROW1", "ORC\u0003", "Obj\u0001", "PK\u0003"}) {
            if (length >= magic.length() && begins(from, magic)) {
                throw TextFault.corrupt(
                        from,
                        "begins with '%s', as a file of another format does"
                                .formatted(magic.substring(0, 2)));
            }
        }
    }

    private static boolean begins(long from, String magic) {
        byte[] bytes = magic.getBytes(StandardCharsets.US_ASCII);
        for (int i = 0; i < bytes.length; i++) {
            if (OffHeap.getByte(from + i) != bytes[i]) {
                return false;
            }
        }
        return true;
    }
}
