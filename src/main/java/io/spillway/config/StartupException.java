package io.spillway.config;

import org.jspecify.annotations.Nullable;

/** Why the service does not start, in words for the operator. */
final class StartupException extends RuntimeException {

    private final String action;

    /**
     * @param description what is wrong
     * @param action what can be done about it
     */
    StartupException(String description, String action, @Nullable Throwable cause) {
        super(description, cause);
        this.action = action;
    }

    String action() {
        return action;
    }
}
