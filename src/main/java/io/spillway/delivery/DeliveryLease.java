package io.spillway.delivery;

/**
 * The right to send a delivery's batches. Whoever takes it next has a higher epoch, and what is
 * recorded with a lower one has no effect any more.
 *
 * @param epoch counts those who had it, from 1 on
 */
public record DeliveryLease(String delivery, long epoch) {}
