package io.spillway.web;

import org.springframework.http.HttpMethod;
import org.springframework.http.server.reactive.ServerHttpRequest;

/**
 * Requests for an answer's head alone (RFC 9110, section 9.3.2). Spring hands them to who answers
 * GET, and throws the body away: a stream's would have to be made up to its end. Fields that only
 * the body tells, such as its length, are left out.
 */
final class Heads {

    private Heads() {}

    /** Whether the body is not wanted. */
    static boolean only(ServerHttpRequest request) {
        return request.getMethod().equals(HttpMethod.HEAD);
    }
}
