package io.spillway.delivery;

import org.jspecify.annotations.Nullable;

/**
 * The dataset of what a delivery captures.
 *
 * @param delivery that makes it
 * @param name that its owner knows it by
 * @param file what it consists of; null until the delivery has ended
 */
public record CapturedDataset(String delivery, String name, @Nullable CapturedFile file) {

    /** The name that it has if nobody gives it one. */
    static String usualName(String delivery) {
        return "delivery-" + delivery;
    }
}
