package io.spillway.error;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The one exception that crosses package borders: a stable code, a sentence for people, the place
 * (file, row group, JSON pointer, column, …) as named context, and the cause. Whatever stands in
 * message or context may be shown to the client.
 */
public final class SpillwayException extends RuntimeException {

    /** Context key: JSON Pointer into the request body. */
    public static final String POINTER = "pointer";

    /** Context key: 0-based position, in characters, in the text at {@link #POINTER}. */
    public static final String POSITION = "position";

    /** Context key: what stood at the place. */
    public static final String FOUND = "found";

    /** Context key: what could have stood there. */
    public static final String EXPECTED = "expected";

    /** Context key: the nearest existing name to one that was mistyped. */
    public static final String SUGGESTION = "suggestion";

    /** Context key: the file, by URI. */
    public static final String FILE = "file";

    /** Context key: 0-based number of the row group in {@link #FILE}. */
    public static final String ROW_GROUP = "rowGroup";

    /** Context key: 0-based number of the record batch in {@link #FILE}. */
    public static final String RECORD_BATCH = "recordBatch";

    /** Context key: 1-based number of the line in {@link #FILE}. */
    public static final String LINE = "line";

    /** Context key: the column's name. */
    public static final String COLUMN = "column";

    /** Context key: 0-based row, counted in what the message says. */
    public static final String ROW = "row";

    /** Context key: the request parameter's name. */
    public static final String PARAMETER = "parameter";

    /** Context key: the step of the plan that could not go on, as plans name it. */
    public static final String STEP = "step";

    /** Context key: the limit that was met, with its unit in the message. */
    public static final String LIMIT = "limit";

    private final ErrorCode code;
    private final transient Map<String, Object> context = new LinkedHashMap<>();

    public SpillwayException(ErrorCode code, String message) {
        this(code, message, null);
    }

    public SpillwayException(ErrorCode code, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.code = code;
    }

    /**
     * The same failure for somebody else: a new exception of the same code, message and place, with
     * this one as its cause, so that nobody adds to the place of another's.
     */
    public SpillwayException copy() {
        String message = getMessage();
        SpillwayException copy =
                new SpillwayException(code, message == null ? code.title() : message, this);
        copy.context.putAll(context);
        return copy;
    }

    /** A {@link #copy} that stands at another place than this one. */
    public SpillwayException movedTo(String key, Object value) {
        SpillwayException moved = copy();
        moved.context.put(key, value);
        return moved;
    }

    public ErrorCode code() {
        return code;
    }

    /**
     * The place, in the order in which it was told; unmodifiable. Values are strings, numbers, or
     * lists of them.
     */
    public Map<String, Object> context() {
        return Collections.unmodifiableMap(context);
    }

    /**
     * Adds a part of the place unless an inner layer, which knows better, has set it. Null values
     * are left out.
     */
    public SpillwayException with(String key, @Nullable Object value) {
        if (value != null) {
            context.putIfAbsent(key, value);
        }
        return this;
    }
}
