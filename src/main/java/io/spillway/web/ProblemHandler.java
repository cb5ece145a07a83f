package io.spillway.web;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.execution.Failures;
import java.util.Set;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.io.buffer.DataBufferLimitException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.web.server.MethodNotAllowedException;
import org.springframework.web.server.NotAcceptableStatusException;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.UnsupportedMediaTypeStatusException;
import org.springframework.web.server.WebExceptionHandler;
import org.springframework.web.util.DisconnectedClientHelper;
import reactor.core.publisher.Mono;

/**
 * The last word on every error: a problem, if nothing of the answer has been sent yet; else the
 * connection is broken, so that nobody takes the part that was sent for the whole.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class ProblemHandler implements WebExceptionHandler {

    private static final Logger LOG = LoggerFactory.getLogger(ProblemHandler.class);

    @Override
    public Mono<Void> handle(ServerWebExchange exchange, Throwable failure) {
        return answer(exchange, failure);
    }

    /** As {@link #handle}. */
    static Mono<Void> answer(ServerWebExchange exchange, Throwable failure) {
        if (isClientGone(failure)) {
            return Mono.error(failure);
        }
        SpillwayException problem = problem(exchange, failure);
        String call = call(exchange);
        if (exchange.getResponse().isCommitted()) {
            logCutOff(call, problem);
            return Mono.error(failure);
        }
        logIfInternal(call, problem);
        // Whatever was prepared for the answer that failed does not hold for the problem.
        HttpHeaders headers = exchange.getResponse().getHeaders();
        AnswerFields.takeBack(headers);
        if (problem.code().kind() == ErrorCode.Kind.BUSY
                || problem.code().kind() == ErrorCode.Kind.UNAVAILABLE) {
            headers.set(HttpHeaders.RETRY_AFTER, "1");
        }
        return Problems.write(exchange, problem);
    }

    /**
     * Whether the caller has left. A failure that is typed is none of the caller's connection,
     * though its cause may look so: a file that ends too early, or a store that resets a
     * connection.
     */
    private static boolean isClientGone(Throwable failure) {
        for (Throwable t = failure; t != null; t = t.getCause()) {
            if (t instanceof SpillwayException) {
                return false;
            }
        }
        return DisconnectedClientHelper.isClientDisconnectedException(failure);
    }

    /** A request as logs name it. */
    static String call(ServerWebExchange exchange) {
        return exchange.getRequest().getMethod() + " " + exchange.getRequest().getPath();
    }

    /** For an answer whose beginning has been sent. */
    static void logCutOff(String call, Throwable failure) {
        if (isClientGone(failure)) {
            return;
        }
        SpillwayException problem = Failures.asSpillway(failure);
        logIfInternal(call, problem);
        LOG.warn("{} was cut off: {}", call, problem.getMessage());
    }

    private static void logIfInternal(String call, SpillwayException problem) {
        if (problem.code().kind() == ErrorCode.Kind.INTERNAL) {
            LOG.error("{} failed", call, problem);
        }
    }

    private static SpillwayException problem(ServerWebExchange exchange, Throwable failure) {
        String path = exchange.getRequest().getPath().value();
        HttpMethod method = exchange.getRequest().getMethod();
        return switch (failure) {
            case MethodNotAllowedException wrong -> {
                Set<HttpMethod> allowed = allowed(wrong.getSupportedMethods());
                exchange.getResponse().getHeaders().setAllow(allowed);
                yield new SpillwayException(
                                ErrorCode.METHOD_NOT_ALLOWED,
                                method + " is not allowed on " + path,
                                failure)
                        .with(
                                SpillwayException.EXPECTED,
                                allowed.stream().map(HttpMethod::name).sorted().toList());
            }
            case NotAcceptableStatusException wrong ->
                    new SpillwayException(
                            ErrorCode.NOT_ACCEPTABLE,
                            "None of the accepted media types can be produced",
                            failure);
            case UnsupportedMediaTypeStatusException wrong ->
                    new SpillwayException(
                            ErrorCode.UNSUPPORTED_MEDIA_TYPE,
                            "The body's media type is not supported",
                            failure);
            case DataBufferLimitException wrong ->
                    new SpillwayException(
                            ErrorCode.BODY_TOO_LARGE, "The body is larger than the limit", failure);
            case ResponseStatusException other when other.getStatusCode().value() == 404 ->
                    new SpillwayException(
                            ErrorCode.UNKNOWN_RESOURCE, "There is nothing at " + path, failure);
            case ResponseStatusException other when other.getStatusCode().is4xxClientError() ->
                    new SpillwayException(
                            ErrorCode.INVALID_PARAMETER,
                            other.getReason() == null
                                    ? "The request is not valid"
                                    : other.getReason(),
                            failure);
            default -> Failures.asSpillway(failure);
        };
    }

    /** With the methods that Spring itself answers: HEAD where there is GET, and OPTIONS. */
    private static Set<HttpMethod> allowed(Set<HttpMethod> mapped) {
        Set<HttpMethod> allowed = new TreeSet<>(mapped);
        if (allowed.contains(HttpMethod.GET)) {
            allowed.add(HttpMethod.HEAD);
        }
        allowed.add(HttpMethod.OPTIONS);
        return allowed;
    }
}
