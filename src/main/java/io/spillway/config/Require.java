package io.spillway.config;

import java.time.Duration;
import org.springframework.util.unit.DataSize;

/**
 * Checks of settings. The message names the setting; Boot adds the value and where it came from.
 */
final class Require {

    private Require() {}

    static void positive(String setting, long value) {
        that(value > 0, setting + " must be at least 1");
    }

    static void positive(String setting, DataSize value) {
        that(value.toBytes() > 0, setting + " must be at least 1B");
    }

    /** At least one byte, and few enough to be counted by an int. */
    static void positiveInt(String setting, DataSize value) {
        positive(setting, value);
        that(value.toBytes() <= Integer.MAX_VALUE, setting + " must be below 2GB");
    }

    static void positive(String setting, Duration value) {
        that(value.isPositive(), setting + " must be longer than zero");
    }

    static void notNegative(String setting, Duration value) {
        that(!value.isNegative(), setting + " must not be negative");
    }

    static void notBlank(String setting, String value) {
        that(!value.isBlank(), setting + " must not be empty");
    }

    static void that(boolean condition, String message) {
        if (!condition) {
            throw new IllegalArgumentException(message);
        }
    }
}
