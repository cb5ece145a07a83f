package io.spillway.delivery;

import io.spillway.delivery.capture.Refused;
import io.spillway.delivery.http.Answer;
import io.spillway.delivery.http.Outcome;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Answers that deliver nothing, in words of the interface. */
final class BadAnswers {

    /** Characters of an answer that its owner gets to see. */
    private static final int HEAD = 200;

    private static final int BYTES_A_CHARACTER = 4;

    private BadAnswers() {}

    static BatchFailure of(Answer answer, Outcome outcome) {
        return switch (answer) {
            case Answer.Response response -> of(response, outcome);
            case Answer.Failure failure ->
                    new BatchFailure(word(failure.kind()), failure.message(), null, null);
        };
    }

    /** An answer that delivers, but has not what is to be captured. */
    static BatchFailure of(Answer answer, Refused refused) {
        String word = refused.reason().word();
        return answer instanceof Answer.Response response
                ? new BatchFailure(
                        word, refused.message(), response.status(), head(response.body()))
                : new BatchFailure(word, refused.message(), null, null);
    }

    private static String word(Answer.Kind kind) {
        return kind.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static BatchFailure of(Answer.Response response, Outcome outcome) {
        int status = response.status();
        String reason =
                switch (outcome) {
                    case THROTTLED -> "throttled";
                    case TOO_LARGE -> "too-large";
                    case STOP -> "target-gone";
                    case DELIVERED, RETRY, REJECTED ->
                            status >= 300 && status < 400 ? "redirect" : "status";
                };
        return new BatchFailure(
                reason, "The target answered " + status, status, head(response.body()));
    }

    /** What an answer begins with, as text; what is no text is left out. */
    private static String head(byte[] body) {
        int length = Math.min(body.length, HEAD * BYTES_A_CHARACTER);
        StringBuilder head = new StringBuilder();
        new String(body, 0, length, StandardCharsets.UTF_8)
                .codePoints()
                .filter(c -> !Character.isISOControl(c))
                .limit(HEAD)
                .forEach(head::appendCodePoint);
        return head.toString();
    }
}
