package io.spillway.encode;

/** Well-formed UTF-8: table 3-7 of the Unicode standard. */
final class Utf8 {

    private Utf8() {}

    /**
     * The byte sequence at {@code at}, whose first byte is not ASCII.
     *
     * @param end index after the last byte of the text
     * @return the length of the character, 2 to 4, if it is well-formed; else, negated, the length
     *     of its maximal subpart: 1 to 3 bytes that one replacement character stands for (section
     *     3.9 of the standard, and Java's decoder)
     */
    static int sequence(byte[] in, int at, int end) {
        int lead = in[at] & 0xff;
        if (lead < 0xc2 || lead > 0xf4) {
            return -1;
        }
        if (end - at < 2 || !second(lead, in[at + 1] & 0xff)) {
            return -1;
        }
        if (lead < 0xe0) {
            return 2;
        }
        if (end - at < 3 || !continues(in[at + 2])) {
            return -2;
        }
        if (lead < 0xf0) {
            return 3;
        }
        return end - at < 4 || !continues(in[at + 3]) ? -3 : 4;
    }

    /** Writes U+FFFD and returns the next index. */
    static int replacement(byte[] out, int at) {
        out[at] = (byte) 0xef;
        out[at + 1] = (byte) 0xbf;
        out[at + 2] = (byte) 0xbd;
        return at + 3;
    }

    /**
     * Where a text can be cut at or shortly before {@code end} without cutting a character, or the
     * maximal subpart of one that is not well-formed, in two.
     */
    static int boundary(byte[] in, int from, int end) {
        for (int i = end - 1; i >= Math.max(from, end - 3); i--) {
            if ((in[i] & 0xff) >= 0xc0) {
                return i > from ? i : end;
            }
        }
        return end;
    }

    private static boolean second(int lead, int b) {
        return switch (lead) {
            case 0xe0 -> b >= 0xa0 && b <= 0xbf;
            case 0xed -> b >= 0x80 && b <= 0x9f;
            case 0xf0 -> b >= 0x90 && b <= 0xbf;
            case 0xf4 -> b >= 0x80 && b <= 0x8f;
            default -> b >= 0x80 && b <= 0xbf;
        };
    }

    static boolean continues(byte b) {
        return (b & 0xc0) == 0x80;
    }
}
