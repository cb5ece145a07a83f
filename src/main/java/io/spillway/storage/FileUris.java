package io.spillway.storage;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The text form of local paths: {@code file:///} and the percent-encoded UTF-8 of an absolute,
 * normalised path (RFC 8089). Every path has exactly one form, and it is plain ASCII without glob
 * characters, so it sorts in code-point order and always names one file literally.
 *
 * <p>Reading is more generous than {@link java.net.URI}: whatever is not a percent escape of two
 * hexadecimal digits stands for itself, {@code ?}, {@code #}, {@code +} and spaces included, and an
 * absolute path without a scheme is taken as it is.
 */
final class FileUris {

    static final String SCHEME = "file";

    private static final String PREFIX = SCHEME + ":";

    /** What stands for itself beside letters and digits: RFC 3986 pchar without {@code *}. */
    private static final String PLAIN = "/-._~!$&'()+,;=:@";

    private FileUris() {}

    /** The URI of a path. */
    static String of(Path path) {
        String text = path.toAbsolutePath().normalize().toString();
        StringBuilder uri = new StringBuilder(PREFIX).append("//");
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (b & 0xFF);
            if (isLetterOrDigit(c) || PLAIN.indexOf(c) >= 0) {
                uri.append(c);
            } else {
                uri.append('%').append(hex(c >> 4)).append(hex(c & 15));
            }
        }
        return uri.toString();
    }

    /**
     * The path that a URI or an absolute path names, glob characters taken literally.
     *
     * @throws SpillwayException {@code FILE_NOT_FOUND} if it can name no file of this machine
     */
    static Path toPath(String uri) {
        return path(decode(encodedPath(uri), hasScheme(uri)), uri);
    }

    /** The path with this text, normalised; {@code uri} is for the message. */
    static Path path(String text, String uri) {
        try {
            Path path = Path.of(text);
            if (path.isAbsolute()) {
                return path.normalize();
            }
        } catch (InvalidPathException e) {
            throw unusable(uri, "cannot name a file here", e);
        }
        throw unusable(uri, "is not absolute", null);
    }

    static boolean hasScheme(String uri) {
        return uri.regionMatches(true, 0, PREFIX, 0, PREFIX.length());
    }

    /** The path part, still percent-encoded if there is a scheme. */
    static String encodedPath(String uri) {
        if (!hasScheme(uri)) {
            return uri;
        }
        String rest = uri.substring(PREFIX.length());
        if (!rest.startsWith("//")) {
            return rest;
        }
        int slash = rest.indexOf('/', 2);
        String host = slash < 0 ? rest.substring(2) : rest.substring(2, slash);
        if (slash < 0 || !(host.isEmpty() || host.equalsIgnoreCase("localhost"))) {
            throw unusable(uri, "names another machine", null);
        }
        return rest.substring(slash);
    }

    /** Replaces percent escapes, if text is escaped at all. */
    static String decode(String text, boolean escaped) {
        if (!escaped || text.indexOf('%') < 0) {
            return text;
        }
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
        return bytes.toString(StandardCharsets.UTF_8);
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

    private static SpillwayException unusable(String uri, String why, @Nullable Exception cause) {
        return new SpillwayException(ErrorCode.FILE_NOT_FOUND, "'" + uri + "' " + why, cause)
                .with(SpillwayException.FILE, uri);
    }
}
