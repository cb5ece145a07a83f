package io.spillway.delivery;

/** Why nothing more is sent of a delivery here. */
sealed interface Stop {

    /** All batches are settled. */
    record Settled() implements Stop {}

    /** It comes to rest, or to its end. */
    record Ended(DeliveryState state, DeliveryReason reason) implements Stop {}

    /** Whoever has it next goes on, if it is running. */
    record GivenBack() implements Stop {}

    /** Others have it. */
    record Lost() implements Stop {}
}
