package io.spillway.web.security;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpMethod;
import org.springframework.http.server.reactive.HttpHandler;
import org.springframework.http.server.reactive.HttpHandlerDecoratorFactory;
import org.springframework.http.server.reactive.ServerHttpRequest;

/**
 * Takes the parameter {@code ticket} out of the URL of a request for a job's streams before anybody
 * sees it: what stands in a URL ends up in logs and messages. It goes on as a header that no client
 * can send.
 */
public final class TicketParameter implements HttpHandlerDecoratorFactory {

    /** The header that a ticket goes on in. */
    static final String HEADER = "Spillway-Ticket";

    private static final String NAME = "ticket";

    private static final Set<HttpMethod> READING = Set.of(HttpMethod.GET, HttpMethod.HEAD);

    /** The streams of a job: its rows and its events. */
    private static final Pattern STREAMS = Pattern.compile("/v1/jobs/([^/]+)/(?:rows|events)");

    @Override
    public HttpHandler apply(HttpHandler handler) {
        return (request, response) -> handler.handle(withoutParameter(request), response);
    }

    private static ServerHttpRequest withoutParameter(ServerHttpRequest request) {
        List<String> tickets = new ArrayList<>();
        URI uri = jobOf(request) == null ? request.getURI() : without(request.getURI(), tickets);
        if (tickets.isEmpty() && !request.getHeaders().containsHeader(HEADER)) {
            return request;
        }
        return request.mutate()
                .uri(uri)
                .headers(
                        headers -> {
                            headers.remove(HEADER);
                            tickets.forEach(ticket -> headers.add(HEADER, ticket));
                        })
                .build();
    }

    /** The job whose streams are asked for, or null if it is something else that is asked for. */
    static @Nullable String jobOf(ServerHttpRequest request) {
        Matcher stream = STREAMS.matcher(request.getPath().value());
        return READING.contains(request.getMethod()) && stream.matches() ? stream.group(1) : null;
    }

    /** The URI without its tickets, which are collected as they stand there. */
    private static URI without(URI uri, List<String> tickets) {
        String query = uri.getRawQuery();
        if (query == null || !query.contains(NAME)) {
            return uri;
        }
        List<String> others = new ArrayList<>();
        for (String parameter : query.split("&", -1)) {
            if (parameter.equals(NAME) || parameter.startsWith(NAME + "=")) {
                tickets.add(parameter.substring(Math.min(NAME.length() + 1, parameter.length())));
            } else {
                others.add(parameter);
            }
        }
        if (tickets.isEmpty()) {
            return uri;
        }
        String text = uri.toString();
        String before = text.substring(0, text.indexOf('?'));
        return URI.create(others.isEmpty() ? before : before + "?" + String.join("&", others));
    }
}
