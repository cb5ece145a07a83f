package io.spillway.delivery;

import io.spillway.delivery.http.Authentication;
import io.spillway.delivery.http.Endpoint;
import io.spillway.delivery.http.RequestHeaders;
import io.spillway.delivery.http.SecretText;
import io.spillway.delivery.http.Secrets;
import io.spillway.delivery.http.TargetRules;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.plan.document.DeliveryAuthentication;
import io.spillway.plan.document.DeliveryRequest;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Makes endpoints of what requests say of their targets. What is wrong is told with its place. */
final class Endpoints {

    private static final String URL = "/target/url";
    private static final String HEADERS = "/target/headers/";
    private static final String AUTHENTICATION = "/target/authentication";
    private static final String TOKEN_URL = AUTHENTICATION + "/tokenUrl";

    private final TargetRules rules;
    private final Secrets secrets;

    Endpoints(TargetRules rules, Secrets secrets) {
        this.rules = rules;
        this.secrets = secrets;
    }

    /**
     * Makes an endpoint, and checks what can be known before anything is sent.
     *
     * @throws SpillwayException {@code TARGET_NOT_ALLOWED}, {@code UNKNOWN_SECRET}, {@code
     *     INVALID_PLAN} with the place in the request
     */
    Endpoint checked(DeliveryRequest request) {
        request.target()
                .headers()
                .forEach(
                        (name, value) -> {
                            String pointer = HEADERS + name.replace("~", "~0").replace("/", "~1");
                            if (RequestHeaders.reserved(name)) {
                                throw new SpillwayException(
                                                ErrorCode.INVALID_PLAN,
                                                "The header '%s' is set by the service"
                                                        .formatted(name))
                                        .with(SpillwayException.POINTER, pointer)
                                        .with(SpillwayException.FOUND, name);
                            }
                            at(pointer, () -> known(new SecretText(value)));
                        });
        Endpoint endpoint = of(request);
        at(URL, () -> checked(endpoint.uri()));
        if (endpoint.authentication() instanceof Authentication.OAuth2 oauth2) {
            at(TOKEN_URL, () -> checked(oauth2.tokenUrl()));
        }
        at(
                AUTHENTICATION,
                () -> {
                    endpoint.authentication().texts().forEach(this::known);
                    endpoint.check(rules, secrets);
                    return endpoint;
                });
        return endpoint;
    }

    private URI checked(URI uri) {
        rules.check(uri);
        return uri;
    }

    private SecretText known(SecretText text) {
        for (String name : text.names()) {
            if (secrets.find(name) == null) {
                throw new SpillwayException(
                                ErrorCode.UNKNOWN_SECRET,
                                "No secret named '" + name + "' is configured")
                        .with("secret", name);
            }
        }
        return text;
    }

    /**
     * Makes an endpoint; whether it is allowed, and its secrets are there, is seen when it is used.
     */
    static Endpoint of(DeliveryRequest request) {
        DeliveryRequest.Target target = request.target();
        Map<String, SecretText> headers = new LinkedHashMap<>();
        target.headers().forEach((name, value) -> headers.put(name, new SecretText(value)));
        return new Endpoint(
                uri(target.url(), URL),
                target.method().name(),
                headers,
                at(AUTHENTICATION, () -> authentication(target.authentication())),
                target.gzip(),
                request.retry().timeout());
    }

    private static Authentication authentication(@Nullable DeliveryAuthentication written) {
        return switch (written) {
            case null -> new Authentication.None();
            case DeliveryAuthentication.Bearer(String token) ->
                    new Authentication.Bearer(new SecretText(token));
            case DeliveryAuthentication.Basic(String username, String password) ->
                    new Authentication.Basic(new SecretText(username), new SecretText(password));
            case DeliveryAuthentication.OAuth2(var url, var id, var secret, var scopes) ->
                    new Authentication.OAuth2(
                            uri(url, TOKEN_URL),
                            new SecretText(id),
                            new SecretText(secret),
                            scopes);
            case DeliveryAuthentication.Webhook(String secret) ->
                    new Authentication.Webhook(new SecretText(secret));
            case DeliveryAuthentication.AwsSigV4(
                            var region,
                            var service,
                            var id,
                            var key,
                            var session) ->
                    new Authentication.AwsSigV4(
                            region,
                            service,
                            new SecretText(id),
                            new SecretText(key),
                            session == null ? null : new SecretText(session));
        };
    }

    private static URI uri(String text, String pointer) {
        try {
            return new URI(text);
        } catch (URISyntaxException e) {
            throw new SpillwayException(ErrorCode.INVALID_PLAN, "This is no URL")
                    .with(SpillwayException.POINTER, pointer);
        }
    }

    private static <T> T at(String pointer, Supplier<T> call) {
        try {
            return call.get();
        } catch (SpillwayException e) {
            throw e.with(SpillwayException.POINTER, pointer);
        }
    }
}
