package io.spillway.delivery.body;

import io.spillway.batch.RowSchema;
import io.spillway.plan.document.BatchShape;
import io.spillway.plan.document.BodyFormat;
import io.spillway.plan.document.JsonValue;
import org.jspecify.annotations.Nullable;

/**
 * How the bodies of a delivery are made of its batches. Immutable; made once, and good for any
 * number of readers.
 */
public final class BodyForm {

    private final BodyFormat format;

    private BodyForm(BodyFormat format) {
        this.format = format;
    }

    /**
     * Checks what is wanted against the rows there are.
     *
     * @param template what the bodies look like; null for the rows alone
     * @param schema of the job's rows
     * @param shape how the job's rows are cut
     * @throws io.spillway.error.SpillwayException with a pointer into the request: {@code
     *     UNKNOWN_COLUMN} with the nearest name, {@code INVALID_PLAN} for what a template cannot
     *     say, {@code TYPE_MISMATCH} for a weight that is no number
     */
    public static BodyForm of(
            @Nullable JsonValue template, BodyFormat format, RowSchema schema, BatchShape shape) {
        throw new UnsupportedOperationException();
    }

    /** The media type of the bodies. */
    public String contentType() {
        return format.mediaType();
    }

    /** Whether the bodies have links in them. */
    public boolean usesLinks() {
        return false;
    }
}
