package io.spillway.delivery.http;

import org.jspecify.annotations.Nullable;

/**
 * Values that requests may name and that are neither stored nor shown: tokens, passwords, keys.
 * They live in the configuration alone.
 */
@FunctionalInterface
public interface Secrets {

    /** The value of this name, or null where there is none. */
    @Nullable String find(String name);
}
