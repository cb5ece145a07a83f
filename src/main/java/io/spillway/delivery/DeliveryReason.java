package io.spillway.delivery;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Why a delivery does not go on.
 *
 * @param code a word of the interface: {@code target-gone}, {@code no-success}, or the code of what
 *     failed
 * @param message a sentence
 * @param context the place: file, row, column and their like, as an exception has it
 */
public record DeliveryReason(String code, String message, Map<String, Object> context) {

    public DeliveryReason {
        context = Collections.unmodifiableMap(new LinkedHashMap<>(context));
    }

    static DeliveryReason targetGone() {
        return new DeliveryReason(
                "target-gone", "The target wants nothing more: it answered 410", Map.of());
    }

    static DeliveryReason noSuccess(String since) {
        return new DeliveryReason(
                "no-success", "Nothing was delivered since " + since, Map.of("since", since));
    }

    static DeliveryReason of(SpillwayException failure) {
        String message = failure.getMessage();
        ErrorCode code = failure.code();
        return new DeliveryReason(
                code.slug(), message == null ? code.title() : message, failure.context());
    }
}
