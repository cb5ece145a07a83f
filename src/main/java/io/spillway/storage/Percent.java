package io.spillway.storage;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * The text of a path within a URI: percent-encoded UTF-8 (RFC 3986). Encoding gives every path
 * exactly one text, which is plain ASCII without glob characters, so it sorts in code-point order
 * and always names one file literally.
 *
 * <p>Decoding is more generous than {@link java.net.URI}: whatever is not a percent escape of two
 * hexadecimal digits stands for itself, {@code ?}, {@code #}, {@code +} and spaces included.
 */
public final class Percent {

    /** What stands for itself beside letters and digits: RFC 3986 pchar without {@code *}. */
    private static final String PLAIN = "/-._~!$&'()+,;=:@";

    private Percent() {}

    static String encode(String path) {
        StringBuilder encoded = new StringBuilder(path.length());
        for (byte b : path.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (b & 0xFF);
            if (isLetterOrDigit(c) || PLAIN.indexOf(c) >= 0) {
                encoded.append(c);
            } else {
                encoded.append('%').append(hex(c >> 4)).append(hex(c & 15));
            }
        }
        return encoded.toString();
    }

    static String decode(String text) {
        return text.indexOf('%') < 0 ? text : new String(decodeBytes(text), StandardCharsets.UTF_8);
    }

    /** The bytes that a text stands for; whether they are UTF-8 is the caller's question. */
    public static byte[] decodeBytes(String text) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(text.length());
        int plainFrom = 0;
        for (int i = 0; i < text.length(); i++) {
            int value = escapeAt(text, i);
            if (value >= 0) {
                bytes.writeBytes(text.substring(plainFrom, i).getBytes(StandardCharsets.UTF_8));
                bytes.write(value);
                i += 2;
                plainFrom = i + 1;
            }
        }
        bytes.writeBytes(text.substring(plainFrom).getBytes(StandardCharsets.UTF_8));
        return bytes.toByteArray();
    }

    /** The byte that the escape at {@code i} stands for, or -1 if there is none. */
    private static int escapeAt(String text, int i) {
        if (text.charAt(i) != '%' || i + 2 >= text.length()) {
            return -1;
        }
        int high = Character.digit(text.charAt(i + 1), 16);
        int low = Character.digit(text.charAt(i + 2), 16);
        return high < 0 || low < 0 ? -1 : high << 4 | low;
    }

    private static boolean isLetterOrDigit(char c) {
        return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
    }

    private static char hex(int digit) {
        return Character.toUpperCase(Character.forDigit(digit, 16));
    }
}
