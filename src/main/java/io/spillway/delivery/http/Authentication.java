package io.spillway.delivery.http;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import java.net.URI;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** How a request shows who sends it. What must stay secret can only be named, never written out. */
public sealed interface Authentication {

    /** By nothing but what headers of the endpoint say. */
    record None() implements Authentication {}

    /** {@code Authorization: Bearer …} (RFC 6750). */
    record Bearer(SecretText token) implements Authentication {

        /**
         * @throws SpillwayException INVALID_PLAN where the token names no secret
         */
        public Bearer {
            requireNamed(token, "token");
        }
    }

    /** {@code Authorization: Basic …} (RFC 7617), in UTF-8. */
    record Basic(SecretText username, SecretText password) implements Authentication {

        /**
         * @throws SpillwayException INVALID_PLAN where the password names no secret
         */
        public Basic {
            requireNamed(password, "password");
        }
    }

    /**
     * A bearer token got by OAuth 2.0 client credentials (RFC 6749, section 4.4), where the client
     * shows its own by HTTP Basic. Tokens are kept until shortly before their end.
     *
     * @param tokenUrl held to the same rules as the endpoint itself
     */
    record OAuth2(URI tokenUrl, SecretText clientId, SecretText clientSecret, List<String> scopes)
            implements Authentication {

        /**
         * @throws SpillwayException INVALID_PLAN where the client secret names no secret
         */
        public OAuth2 {
            requireNamed(clientSecret, "clientSecret");
            scopes = List.copyOf(scopes);
        }
    }

    /**
     * A signature of id, time and body by the Standard Webhooks rules: HMAC-SHA256.
     *
     * @param secret its value is {@code whsec_} and the key in Base64
     */
    record Webhook(SecretText secret) implements Authentication {

        /**
         * @throws SpillwayException INVALID_PLAN where the text names no secret
         */
        public Webhook {
            requireNamed(secret, "secret");
        }
    }

    /** AWS Signature Version 4, the body's hash included. */
    record AwsSigV4(
            String region,
            String service,
            SecretText accessKeyId,
            SecretText secretAccessKey,
            @Nullable SecretText sessionToken)
            implements Authentication {

        /**
         * @throws SpillwayException INVALID_PLAN where key or session token name no secret
         */
        public AwsSigV4 {
            requireNamed(secretAccessKey, "secretAccessKey");
            if (sessionToken != null) {
                requireNamed(sessionToken, "sessionToken");
            }
        }
    }

    /** The texts whose secrets must be there. */
    default Stream<SecretText> texts() {
        return switch (this) {
            case None() -> Stream.empty();
            case Bearer(var token) -> Stream.of(token);
            case Basic(var username, var password) -> Stream.of(username, password);
            case OAuth2(_, var clientId, var clientSecret, _) -> Stream.of(clientId, clientSecret);
            case Webhook(var secret) -> Stream.of(secret);
            case AwsSigV4(_, _, var id, var key, var session) ->
                    session == null ? Stream.of(id, key) : Stream.of(id, key, session);
        };
    }

    private static void requireNamed(SecretText text, String field) {
        if (!text.namesSecret()) {
            throw new SpillwayException(
                    ErrorCode.INVALID_PLAN,
                    "'" + field + "' must name a secret, as {secret:NAME}, and not contain one");
        }
    }
}
