package io.spillway.config;

import java.io.IOException;
import java.io.InputStream;
import java.security.interfaces.RSAPublicKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.springframework.core.io.Resource;
import org.springframework.security.converter.RsaKeyConverters;
import org.springframework.security.oauth2.core.DelegatingOAuth2TokenValidator;
import org.springframework.security.oauth2.core.OAuth2TokenValidator;
import org.springframework.security.oauth2.jose.jws.SignatureAlgorithm;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtClaimNames;
import org.springframework.security.oauth2.jwt.JwtClaimValidator;
import org.springframework.security.oauth2.jwt.JwtValidators;
import org.springframework.security.oauth2.jwt.NimbusReactiveJwtDecoder;
import org.springframework.security.oauth2.jwt.ReactiveJwtDecoder;
import org.springframework.security.oauth2.jwt.SupplierReactiveJwtDecoder;

/** Checks of JWTs as the settings say. */
final class JwtDecoders {

    private JwtDecoders() {}

    /** A decoder that fetches keys when it first needs them, not at start. */
    static ReactiveJwtDecoder of(SecurityProperties.Jwt settings) {
        List<SignatureAlgorithm> algorithms =
                settings.algorithms().stream().map(JwtDecoders::algorithm).toList();
        OAuth2TokenValidator<Jwt> validator = validator(settings);
        Resource publicKey = settings.publicKey();
        if (publicKey != null) {
            if (algorithms.size() != 1) {
                throw new StartupException(
                        "A public key goes with one signature algorithm.",
                        "Name one in spillway.security.jwt.algorithms.",
                        null);
            }
            return validated(
                    NimbusReactiveJwtDecoder.withPublicKey(read(publicKey))
                            .signatureAlgorithm(algorithms.getFirst())
                            .build(),
                    validator);
        }
        String jwkSetUri = settings.jwkSetUri();
        if (jwkSetUri != null) {
            return validated(
                    NimbusReactiveJwtDecoder.withJwkSetUri(jwkSetUri)
                            .jwsAlgorithms(accepted -> replace(accepted, algorithms))
                            .build(),
                    validator);
        }
        String issuer = settings.issuerUri();
        if (issuer == null) {
            throw new IllegalArgumentException("There is nowhere to find a key");
        }
        return new SupplierReactiveJwtDecoder(
                () ->
                        validated(
                                NimbusReactiveJwtDecoder.withIssuerLocation(issuer)
                                        .jwsAlgorithms(accepted -> replace(accepted, algorithms))
                                        .build(),
                                validator));
    }

    private static ReactiveJwtDecoder validated(
            NimbusReactiveJwtDecoder decoder, OAuth2TokenValidator<Jwt> validator) {
        decoder.setJwtValidator(validator);
        return decoder;
    }

    /** Expiry and not-before always; issuer and audience where they are configured. */
    private static OAuth2TokenValidator<Jwt> validator(SecurityProperties.Jwt settings) {
        List<OAuth2TokenValidator<Jwt>> all = new ArrayList<>();
        String issuer = settings.issuerUri();
        all.add(
                issuer == null
                        ? JwtValidators.createDefault()
                        : JwtValidators.createDefaultWithIssuer(issuer));
        if (!settings.audiences().isEmpty()) {
            all.add(
                    new JwtClaimValidator<Collection<String>>(
                            JwtClaimNames.AUD,
                            found ->
                                    found != null
                                            && found.stream()
                                                    .anyMatch(settings.audiences()::contains)));
        }
        return new DelegatingOAuth2TokenValidator<>(all);
    }

    private static <T> void replace(Collection<T> accepted, List<T> with) {
        accepted.clear();
        accepted.addAll(with);
    }

    private static SignatureAlgorithm algorithm(String name) {
        SignatureAlgorithm algorithm = SignatureAlgorithm.from(name);
        if (algorithm == null) {
            throw new StartupException(
                    "'" + name + "' in spillway.security.jwt.algorithms is no signature algorithm.",
                    "Use names such as RS256, PS256 or ES256.",
                    null);
        }
        return algorithm;
    }

    private static RSAPublicKey read(Resource pem) {
        try (InputStream in = pem.getInputStream()) {
            RSAPublicKey key = RsaKeyConverters.x509().convert(in);
            if (key != null) {
                return key;
            }
            throw new IOException("no key in it");
        } catch (IOException | RuntimeException e) {
            throw new StartupException(
                    "The public key %s cannot be read: %s"
                            .formatted(pem.getDescription(), e.getMessage()),
                    "Point spillway.security.jwt.public-key at a PEM file that starts with"
                            + " -----BEGIN PUBLIC KEY-----.",
                    e);
        }
    }
}
