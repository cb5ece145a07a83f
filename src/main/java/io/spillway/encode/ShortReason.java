package io.spillway.encode;

import java.util.Locale;

/** What makes a batch shorter than it may be. */
public enum ShortReason {
    /** Its rows would take more bytes than a batch may. */
    BYTES,
    /** Its rows would weigh more than a batch may. */
    WEIGHT,
    /** The job has no more rows. */
    END;

    /** The word for it in the interface. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
