package io.spillway.delivery.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OutcomeTest {

    @ParameterizedTest
    @CsvSource({
        "101, RETRY",
        "103, RETRY",
        "200, DELIVERED",
        "202, DELIVERED",
        "204, DELIVERED",
        "299, DELIVERED",
        "300, REJECTED",
        "302, REJECTED",
        "307, REJECTED",
        "308, REJECTED",
        "400, REJECTED",
        "401, REJECTED",
        "403, REJECTED",
        "404, REJECTED",
        "408, RETRY",
        "409, REJECTED",
        "410, STOP",
        "413, TOO_LARGE",
        "422, REJECTED",
        "425, RETRY",
        "429, THROTTLED",
        "500, RETRY",
        "501, RETRY",
        "502, RETRY",
        "503, RETRY",
        "504, RETRY",
        "599, RETRY",
        "600, REJECTED",
        "999, REJECTED"
    })
    void followsFromTheStatus(int status, Outcome outcome) {
        assertThat(
                        Outcome.of(
                                new Answer.Response(
                                        status, null, null, new byte[0], false, Duration.ZERO)))
                .isEqualTo(outcome);
    }

    @ParameterizedTest
    @CsvSource({
        "TIMEOUT, RETRY",
        "CONNECT, RETRY",
        "RESET, RETRY",
        "TLS, REJECTED",
        "NAME, RETRY",
        "NOT_ALLOWED, REJECTED",
        "PROTOCOL, RETRY",
        "CREDENTIALS, RETRY",
        "ABORTED, RETRY"
    })
    void followsFromTheKindOfFailure(Answer.Kind kind, Outcome outcome) {
        assertThat(Outcome.of(new Answer.Failure(kind, "", Duration.ZERO))).isEqualTo(outcome);
    }
}
