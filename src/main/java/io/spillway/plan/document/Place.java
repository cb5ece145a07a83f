package io.spillway.plan.document;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import org.jspecify.annotations.Nullable;

/**
 * A place in the request body. Cheap to go down with; rendered as a JSON Pointer (RFC 6901) only
 * when somebody asks.
 */
public final class Place {

    /** The body as a whole. */
    public static final Place ROOT = new Place(null, "");

    private final @Nullable Place parent;
    private final String token;

    private Place(@Nullable Place parent, String token) {
        this.parent = parent;
        this.token = token;
    }

    public Place field(String name) {
        return new Place(this, name);
    }

    public Place item(int index) {
        return new Place(this, Integer.toString(index));
    }

    public String pointer() {
        StringBuilder out = new StringBuilder();
        append(out);
        return out.toString();
    }

    /** Recursion is as deep as the document, which has a limit. */
    private void append(StringBuilder out) {
        if (parent != null) {
            parent.append(out);
            out.append('/').append(token.replace("~", "~0").replace("/", "~1"));
        }
    }

    PlanText text(String text) {
        return new PlanText(text, pointer());
    }

    public SpillwayException error(ErrorCode code, String message) {
        return new SpillwayException(code, message).with(SpillwayException.POINTER, pointer());
    }

    public SpillwayException invalid(String message) {
        return error(ErrorCode.INVALID_PLAN, message);
    }
}
