package io.spillway.config;

import io.spillway.web.security.ApiKey;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.core.io.Resource;

/**
 * Who may call.
 *
 * @param mode ways to authenticate: {@code none} alone, or {@code api-key}, {@code jwt} or both
 * @param apiKeys the keys of mode {@code api-key}
 * @param jwt the tokens of mode {@code jwt}
 * @param open allows mode {@code none} on an address that other machines reach
 * @param corsOrigins origins whose pages may call from a browser, for example {@code
 *     https://app.example.com}; none by default
 * @param ticketLife how long a ticket lets its holder connect to a job's streams
 */
public record SecurityProperties(
        @DefaultValue("none") Set<Mode> mode,
        @DefaultValue List<Key> apiKeys,
        @DefaultValue Jwt jwt,
        @DefaultValue("false") boolean open,
        @DefaultValue List<String> corsOrigins,
        @DefaultValue("1h") Duration ticketLife) {

    /** A ticket stands in URLs, which end up in many places: it must not be good for long. */
    private static final Duration LONGEST_TICKET = Duration.ofHours(24);

    /** A way to authenticate. */
    public enum Mode {
        /** Everybody may call; the service listens on the loopback address. */
        NONE,
        /** {@code X-API-Key: KEY} or {@code Authorization: Bearer KEY}. */
        API_KEY,
        /** {@code Authorization: Bearer JWT}. */
        JWT
    }

    public SecurityProperties {
        Require.that(!mode.isEmpty(), "spillway.security.mode must not be empty");
        mode = Set.copyOf(EnumSet.copyOf(mode));
        apiKeys = List.copyOf(apiKeys);
        corsOrigins = List.copyOf(corsOrigins);
        Require.that(
                mode.size() == 1 || !mode.contains(Mode.NONE),
                "spillway.security.mode 'none' cannot be combined with another");
        Require.that(
                mode.contains(Mode.API_KEY) == !apiKeys.isEmpty(),
                "spillway.security.mode 'api-key' and spillway.security.api-keys go together");
        Require.that(
                mode.contains(Mode.JWT) == jwt.configured(),
                "spillway.security.mode 'jwt' goes together with an issuer-uri, a jwk-set-uri or a"
                        + " public-key in spillway.security.jwt");
        Set<String> names = new HashSet<>();
        for (Key key : apiKeys) {
            Require.that(
                    names.add(key.name()),
                    "Two of spillway.security.api-keys have the name '" + key.name() + "'");
        }
        corsOrigins.forEach(origin -> Require.notBlank("spillway.security.cors-origins", origin));
        Require.positive("spillway.security.ticket-life", ticketLife);
        Require.that(
                ticketLife.compareTo(LONGEST_TICKET) <= 0,
                "spillway.security.ticket-life must not be over 24h");
    }

    /** Whether callers must authenticate. */
    public boolean required() {
        return !mode.contains(Mode.NONE);
    }

    /**
     * One API key.
     *
     * @param name what the operator calls it
     * @param owner to whom the jobs belong that are made with it; by default its name. Several keys
     *     may have one owner, which is how a key is replaced
     * @param hash {@code sha256:} and the SHA-256 of the key in hex
     */
    public record Key(String name, @Nullable String owner, String hash) {

        public Key {
            Require.that(name != null && !name.isBlank(), "An API key has a name");
            Require.that(hash != null, "The API key '" + name + "' has no hash");
            // Checks the owner and the hash.
            apiKey(name, owner, hash);
        }

        /** The same for the filter that checks keys. */
        ApiKey apiKey() {
            return apiKey(name, owner, hash);
        }

        private static ApiKey apiKey(String name, @Nullable String owner, String hash) {
            return ApiKey.of(owner == null ? name : owner, hash);
        }
    }

    /**
     * What makes a JWT valid. Signatures are checked with keys from the JWK set, or from the issuer
     * (OpenID Connect discovery), or with one RSA public key.
     *
     * @param issuerUri the {@code iss} that tokens must have; where keys are discovered unless told
     * @param jwkSetUri where the keys are
     * @param publicKey a PEM file with an RSA public key, for example {@code file:/etc/key.pem}
     * @param audiences one of which tokens must have in {@code aud}, if any are named
     * @param algorithms signature algorithms that are accepted
     * @param ownerClaim the claim that names the owner
     */
    public record Jwt(
            @Nullable String issuerUri,
            @Nullable String jwkSetUri,
            @Nullable Resource publicKey,
            @DefaultValue List<String> audiences,
            @DefaultValue("RS256") List<String> algorithms,
            @DefaultValue("sub") String ownerClaim) {

        public Jwt {
            audiences = List.copyOf(audiences);
            algorithms = List.copyOf(algorithms);
            Require.that(
                    jwkSetUri == null || publicKey == null,
                    "spillway.security.jwt takes a jwk-set-uri or a public-key, not both");
            Require.that(
                    !algorithms.isEmpty(), "spillway.security.jwt.algorithms must not be empty");
            Require.notBlank("spillway.security.jwt.owner-claim", ownerClaim);
        }

        boolean configured() {
            return issuerUri != null || jwkSetUri != null || publicKey != null;
        }
    }
}
