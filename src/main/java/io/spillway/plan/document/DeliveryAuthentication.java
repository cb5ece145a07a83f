package io.spillway.plan.document;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How requests of a delivery say who sends them, as it was written: what is secret stands in it as
 * {@code {secret:NAME}} only.
 */
public sealed interface DeliveryAuthentication {

    /** A token in the header {@code Authorization} (RFC 6750). */
    record Bearer(String token) implements DeliveryAuthentication {}

    /** Name and password (RFC 7617). */
    record Basic(String username, String password) implements DeliveryAuthentication {}

    /** A token that is fetched with the client's credentials (RFC 6749, section 4.4). */
    record OAuth2(String tokenUrl, String clientId, String clientSecret, List<String> scopes)
            implements DeliveryAuthentication {

        public OAuth2 {
            scopes = List.copyOf(scopes);
        }
    }

    /** A signature over id, time and body, as Standard Webhooks has it. */
    record Webhook(String secret) implements DeliveryAuthentication {}

    /** AWS Signature Version 4. */
    record AwsSigV4(
            String region,
            String service,
            String accessKeyId,
            String secretAccessKey,
            @Nullable String sessionToken)
            implements DeliveryAuthentication {}
}
