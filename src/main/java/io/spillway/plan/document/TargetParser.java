package io.spillway.plan.document;

import io.spillway.error.SpillwayException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads where requests of a delivery go. What is secret must be named, and never stands in the
 * document: so the document can be stored and shown.
 */
final class TargetParser {

    private static final int MAX_URL = 8_192;
    private static final int MAX_HEADERS = 64;
    private static final int MAX_VALUE = 8_192;

    /** A field name of HTTP (RFC 9110, section 5.6.2). */
    private static final Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}");

    /** A field value: visible ASCII, and spaces between. */
    private static final Pattern VALUE =
            Pattern.compile("[\\x21-\\x7e]([\\x20-\\x7e\\t]*[\\x21-\\x7e])?");

    private static final Pattern REFERENCE = Pattern.compile("\\{secret:[^{}]+}");

    /** Headers whose values are credentials. */
    private static final Set<String> CREDENTIALS =
            Set.of("authorization", "cookie", "x-api-key", "api-key");

    private TargetParser() {}

    static DeliveryRequest.Target target(JsonValue value, Place place) {
        Fields target =
                Fields.of(value, place)
                        .only("url", "method", "headers", "authentication", "compression");
        String url = target.requiredString("url");
        if (url.length() > MAX_URL) {
            throw target.place("url")
                    .invalid("A URL has at most %,d characters".formatted(MAX_URL));
        }
        JsonValue method = target.optional("method");
        JsonValue headers = target.optional("headers");
        JsonValue authentication = target.optional("authentication");
        JsonValue compression = target.optional("compression");
        DeliveryRequest.Target read =
                new DeliveryRequest.Target(
                        url,
                        method == null
                                ? DeliveryRequest.Method.POST
                                : method(method, target.place("method")),
                        headers == null ? Map.of() : headers(headers, target.place("headers")),
                        authentication == null
                                ? null
                                : authentication(authentication, target.place("authentication")),
                        compression != null && isGzip(compression, target.place("compression")));
        if (setsAuthorization(read.authentication())
                && read.headers().keySet().stream().anyMatch("authorization"::equalsIgnoreCase)) {
            throw target.place("authentication")
                    .invalid("The header 'authorization' is given as well");
        }
        return read;
    }

    private static boolean setsAuthorization(@Nullable DeliveryAuthentication authentication) {
        return switch (authentication) {
            case null -> false;
            case DeliveryAuthentication.Webhook _ -> false;
            case DeliveryAuthentication.Bearer _,
                    DeliveryAuthentication.Basic _,
                    DeliveryAuthentication.OAuth2 _,
                    DeliveryAuthentication.AwsSigV4 _ ->
                    true;
        };
    }

    private static DeliveryRequest.Method method(JsonValue value, Place place) {
        String name = Fields.string(value, place);
        for (DeliveryRequest.Method method : DeliveryRequest.Method.values()) {
            if (method.name().equals(name)) {
                return method;
            }
        }
        throw Fields.wrongType(value, place, "POST", "PUT", "PATCH");
    }

    private static boolean isGzip(JsonValue value, Place place) {
        if (Fields.string(value, place).equals("gzip")) {
            return true;
        }
        throw Fields.wrongType(value, place, "\"gzip\"");
    }

    private static Map<String, String> headers(JsonValue value, Place place) {
        Fields headers = Fields.of(value, place);
        if (headers.members().size() > MAX_HEADERS) {
            throw place.invalid("A request has at most %d headers".formatted(MAX_HEADERS));
        }
        Map<String, String> read = new LinkedHashMap<>();
        Set<String> names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        for (Map.Entry<String, JsonValue> header : headers.members().entrySet()) {
            String name = header.getKey();
            Place there = headers.place(name);
            checkName(name, there);
            if (!names.add(name)) {
                throw there.invalid("The header '%s' is there twice".formatted(name));
            }
            String text = Fields.string(header.getValue(), there);
            if (text.length() > MAX_VALUE || !VALUE.matcher(text).matches()) {
                throw there.invalid(
                        "A header's value has 1 to %,d visible ASCII characters, and spaces between them"
                                .formatted(MAX_VALUE));
            }
            if (CREDENTIALS.contains(name.toLowerCase(Locale.ROOT))) {
                checkReference(text, there);
            }
            read.put(name, text);
        }
        return read;
    }

    private static void checkName(String name, Place place) {
        if (!TOKEN.matcher(name).matches()) {
            throw place.invalid("This is no name of a header").with(SpillwayException.FOUND, name);
        }
    }

    private static void checkReference(String text, Place place) {
        if (!REFERENCE.matcher(text).find()) {
            throw place.invalid(
                            "A secret never stands in a request: name one of the configuration, as"
                                    + " {secret:NAME}")
                    .with(SpillwayException.EXPECTED, "{secret:NAME}");
        }
    }

    private static DeliveryAuthentication authentication(JsonValue value, Place place) {
        Fields fields = Fields.of(value, place);
        String type = fields.requiredString("type");
        return switch (type) {
            case "bearer" -> {
                fields.only("type", "token");
                yield new DeliveryAuthentication.Bearer(secret(fields, "token"));
            }
            case "basic" -> {
                fields.only("type", "username", "password");
                yield new DeliveryAuthentication.Basic(
                        fields.requiredString("username"), secret(fields, "password"));
            }
            case "oauth2" -> {
                fields.only("type", "tokenUrl", "clientId", "clientSecret", "scopes");
                JsonValue scopes = fields.optional("scopes");
                yield new DeliveryAuthentication.OAuth2(
                        fields.requiredString("tokenUrl"),
                        fields.requiredString("clientId"),
                        secret(fields, "clientSecret"),
                        scopes == null
                                ? List.of()
                                : DeliveriesParser.strings(scopes, fields.place("scopes")));
            }
            case "webhook" -> {
                fields.only("type", "secret");
                yield new DeliveryAuthentication.Webhook(secret(fields, "secret"));
            }
            case "aws-sigv4" -> {
                fields.only(
                        "type",
                        "region",
                        "service",
                        "accessKeyId",
                        "secretAccessKey",
                        "sessionToken");
                yield new DeliveryAuthentication.AwsSigV4(
                        fields.requiredString("region"),
                        fields.requiredString("service"),
                        fields.requiredString("accessKeyId"),
                        secret(fields, "secretAccessKey"),
                        fields.optional("sessionToken") == null
                                ? null
                                : secret(fields, "sessionToken"));
            }
            default ->
                    throw Fields.wrongType(
                            fields.required("type"),
                            fields.place("type"),
                            "bearer",
                            "basic",
                            "oauth2",
                            "webhook",
                            "aws-sigv4");
        };
    }

    private static String secret(Fields fields, String name) {
        String text = fields.requiredString(name);
        checkReference(text, fields.place(name));
        return text;
    }
}
