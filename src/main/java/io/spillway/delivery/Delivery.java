package io.spillway.delivery;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Rows of a job, on their way to another service, or there.
 *
 * @param id public identifier
 * @param owner name of the caller that made it; to anybody else it does not exist
 * @param job whose rows
 * @param createdAt when it was asked for
 * @param request what is to be sent where, as JSON, the job by its id and secrets by their names
 * @param state what it does
 * @param reason why it does not go on, unless that is its owner's wish
 * @param progress how far it is
 * @param endedAt when it came to its end
 */
public record Delivery(
        String id,
        String owner,
        String job,
        Instant createdAt,
        String request,
        DeliveryState state,
        @Nullable DeliveryReason reason,
        DeliveryProgress progress,
        @Nullable Instant endedAt) {}
