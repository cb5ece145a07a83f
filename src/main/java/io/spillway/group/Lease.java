package io.spillway.group;

import io.spillway.cursor.LeaseRef;
import io.spillway.encode.ShortReason;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A batch in somebody's hands.
 *
 * @param ref what its holder shows
 * @param rowCount rows of the batch
 * @param shortReason what made the batch short, if anything did
 * @param attempt how often the batch was handed out and not given back, this time included
 * @param reader who has it
 * @param expiresAt how long nobody else gets it, by the store's clock
 */
public record Lease(
        LeaseRef ref,
        long rowCount,
        @Nullable ShortReason shortReason,
        long attempt,
        String reader,
        Instant expiresAt) {}
