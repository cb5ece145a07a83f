package io.spillway.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ProblemsTest {

    private static String json(SpillwayException error, String instance) {
        return new String(Problems.json(error, instance), StandardCharsets.UTF_8);
    }

    @Test
    void thePlaceFollowsTheStandardMembers() {
        SpillwayException error =
                new SpillwayException(ErrorCode.UNKNOWN_COLUMN, "There is no column 'färe'")
                        .with(SpillwayException.POINTER, "/plan/steps/2/where")
                        .with(SpillwayException.POSITION, 7)
                        .with(SpillwayException.FOUND, "f\u0000\"")
                        .with(SpillwayException.EXPECTED, List.of("fare", "fee"));
        assertThat(json(error, "/v1/jobs"))
                .isEqualTo(
                        "{\"type\":\"/problems/unknown-column\","
                                + "\"title\":\"A column does not exist\","
                                + "\"status\":400,"
                                + "\"detail\":\"There is no column 'färe'\","
                                + "\"instance\":\"/v1/jobs\","
                                + "\"code\":\"unknown-column\","
                                + "\"pointer\":\"/plan/steps/2/where\","
                                + "\"position\":7,"
                                + "\"found\":\"f\\u0000\\\"\","
                                + "\"expected\":[\"fare\",\"fee\"]}");
    }

    @Test
    void aContextCannotReplaceAStandardMember() {
        SpillwayException error =
                new SpillwayException(ErrorCode.INTERNAL, "x")
                        .with("status", 200)
                        .with("type", "y");
        assertThat(Problems.members(error, null))
                .containsEntry("status", 500)
                .containsEntry("type", "/problems/internal")
                .doesNotContainKey("instance");
    }

    @ParameterizedTest
    @EnumSource(ErrorCode.class)
    void everyCodeIsAnErrorStatus(ErrorCode code) {
        assertThat(Problems.status(code.kind()).isError()).isTrue();
        assertThat(code.slug()).matches("[a-z]+(-[a-z]+)*");
    }

    @ParameterizedTest
    @CsvSource({
        "INVALID_CURSOR, 400",
        "UNAUTHENTICATED, 401",
        "PATH_NOT_ALLOWED, 403",
        "UNKNOWN_JOB, 404",
        "METHOD_NOT_ALLOWED, 405",
        "NOT_ACCEPTABLE, 406",
        "SOURCE_CHANGED, 409",
        "JOB_EXPIRED, 410",
        "BODY_TOO_LARGE, 413",
        "UNSUPPORTED_MEDIA_TYPE, 415",
        "IDEMPOTENCY_CONFLICT, 422",
        "TOO_MANY_JOBS, 429",
        "INTERNAL, 500",
        "SHUTTING_DOWN, 503",
        "MEMORY_LIMIT, 507"
    })
    void statuses(ErrorCode code, int status) {
        assertThat(Problems.status(code.kind()).value()).isEqualTo(status);
    }
}
