package io.spillway.scan.text;

import io.spillway.error.ErrorCode;
import org.jspecify.annotations.Nullable;

/**
 * A text that is not what its format asks for, by whoever reads it; the survey and the stream, who
 * know the file and its lines, make the exception for others out of it.
 */
public final class TextFault extends RuntimeException {

    private static final int MAX_SHOWN = 100;

    private final ErrorCode code;
    private final long address;
    private final @Nullable String column;

    /**
     * @param code for example {@code FILE_CORRUPT}
     * @param address in memory, of the byte at which it shows
     * @param message a sentence that goes on after the place
     * @param column its name, if only one is concerned
     */
    public TextFault(ErrorCode code, long address, String message, @Nullable String column) {
        super(message, null, false, false);
        this.code = code;
        this.address = address;
        this.column = column;
    }

    /** A file that is corrupt. */
    public static TextFault corrupt(long address, String message) {
        return new TextFault(ErrorCode.FILE_CORRUPT, address, message, null);
    }

    /** The same fault of a field of a struct, if it is one of a column. */
    public TextFault within(String struct) {
        return column == null ? this : new TextFault(code, address, text(), struct + '.' + column);
    }

    /** A value as it can be shown: not at any length. */
    public static String shown(String value) {
        return value.length() <= MAX_SHOWN
                ? value
                : value.substring(0, value.offsetByCodePoints(0, MAX_SHOWN / 2)) + "…";
    }

    ErrorCode code() {
        return code;
    }

    long address() {
        return address;
    }

    @Nullable String column() {
        return column;
    }

    String text() {
        String message = getMessage();
        return message == null ? code.title() : message;
    }
}
