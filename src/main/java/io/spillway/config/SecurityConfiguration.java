package io.spillway.config;

import io.spillway.cursor.TicketToken;
import io.spillway.web.security.CallerAuthentication;
import io.spillway.web.security.CredentialConverter;
import io.spillway.web.security.LocalHostFilter;
import io.spillway.web.security.Owners;
import io.spillway.web.security.ProblemEntryPoint;
import io.spillway.web.security.TicketParameter;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.web.server.autoconfigure.ServerProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpHeaders;
import org.springframework.security.config.annotation.web.reactive.EnableWebFluxSecurity;
import org.springframework.security.config.observation.SecurityObservationSettings;
import org.springframework.security.config.web.server.SecurityWebFiltersOrder;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.security.web.server.authentication.AuthenticationWebFilter;
import org.springframework.security.web.server.context.NoOpServerSecurityContextRepository;
import org.springframework.web.cors.CorsConfiguration;
import org.springframework.web.cors.reactive.UrlBasedCorsConfigurationSource;

/**
 * Who may call what. Open to everybody are the health probes, which tell no more than up or down,
 * and the interface's description; all else, metrics included, asks for a credential unless the
 * mode is {@code none}. A controller gets the caller as {@code java.security.Principal}, whose name
 * is the owner.
 *
 * <p>There are no cookies and no sessions, so there is nothing that a foreign page could ride on,
 * and no protection against that.
 */
@Configuration(proxyBeanMethods = false)
@EnableWebFluxSecurity
@EnableConfigurationProperties({SpillwayProperties.class, ServerProperties.class})
class SecurityConfiguration {

    private static final String[] OPEN = {
        "/actuator/health", "/actuator/health/**", "/openapi", "/openapi/**", "/v1/links/**"
    };

    private static final Duration PREFLIGHT_MAX_AGE = Duration.ofHours(1);

    @Bean
    TicketParameter ticketParameter() {
        return new TicketParameter();
    }

    /**
     * No record of each filter of each request: it is made for tracing, which there is none of, and
     * a stream keeps what was recorded at its beginning, some ten kilobytes, for as long as it is
     * open.
     */
    @Bean
    static SecurityObservationSettings observations() {
        return SecurityObservationSettings.noObservations();
    }

    @Bean
    SecurityWebFilterChain security(
            ServerHttpSecurity http,
            SpillwayProperties settings,
            ServerProperties server,
            TicketToken tickets,
            ExecutorService waiting) {
        SecurityProperties security = settings.security();
        refuseOpenAddress(security, server.getAddress());

        http.csrf(ServerHttpSecurity.CsrfSpec::disable)
                .httpBasic(ServerHttpSecurity.HttpBasicSpec::disable)
                .formLogin(ServerHttpSecurity.FormLoginSpec::disable)
                .logout(ServerHttpSecurity.LogoutSpec::disable)
                .requestCache(ServerHttpSecurity.RequestCacheSpec::disable)
                .securityContextRepository(NoOpServerSecurityContextRepository.getInstance());
        cors(http, security.corsOrigins());
        checkCredentials(http, security, tickets, waiting);
        if (security.required()) {
            requireCredentials(http);
        } else {
            letEverybodyIn(http, security);
        }
        return http.build();
    }

    /** A service that asks nobody who they are is not to be reached from other machines. */
    private static void refuseOpenAddress(
            SecurityProperties security, @Nullable InetAddress address) {
        if (security.required() || security.open()) {
            return;
        }
        if (address == null || !address.isLoopbackAddress()) {
            throw new StartupException(
                    "Without authentication the service listens on a loopback address only, but"
                            + " server.address is "
                            + (address == null ? "not set" : address.getHostAddress())
                            + ".",
                    "Set spillway.security.mode to api-key or jwt; or server.address to 127.0.0.1;"
                            + " or, if everybody who reaches this address may read all data,"
                            + " spillway.security.open to true.",
                    null);
        }
    }

    private static void letEverybodyIn(ServerHttpSecurity http, SecurityProperties security) {
        http.anonymous(anonymous -> anonymous.principal(Owners.ANONYMOUS))
                .authorizeExchange(calls -> calls.anyExchange().permitAll());
        if (!security.open()) {
            http.addFilterAt(new LocalHostFilter(), SecurityWebFiltersOrder.FIRST);
        }
    }

    /** A credential that is presented is checked, also where none is needed. */
    private static void checkCredentials(
            ServerHttpSecurity http,
            SecurityProperties security,
            TicketToken tickets,
            Executor waiting) {
        boolean jwts = security.mode().contains(SecurityProperties.Mode.JWT);
        boolean apiKeys = security.mode().contains(SecurityProperties.Mode.API_KEY);
        CallerAuthentication authentication =
                new CallerAuthentication(
                        security.apiKeys().stream().map(SecurityProperties.Key::apiKey).toList(),
                        jwts ? JwtDecoders.of(security.jwt()) : null,
                        security.jwt().ownerClaim(),
                        tickets,
                        waiting);
        AuthenticationWebFilter filter = new AuthenticationWebFilter(authentication);
        filter.setServerAuthenticationConverter(new CredentialConverter(apiKeys, jwts));
        filter.setAuthenticationFailureHandler(new ProblemEntryPoint());
        filter.setSecurityContextRepository(NoOpServerSecurityContextRepository.getInstance());
        http.addFilterAt(filter, SecurityWebFiltersOrder.AUTHENTICATION);
    }

    private static void requireCredentials(ServerHttpSecurity http) {
        http.exceptionHandling(errors -> errors.authenticationEntryPoint(new ProblemEntryPoint()))
                .authorizeExchange(
                        calls ->
                                calls.pathMatchers(OPEN).permitAll().anyExchange().authenticated());
    }

    private static void cors(ServerHttpSecurity http, List<String> origins) {
        if (origins.isEmpty()) {
            http.cors(ServerHttpSecurity.CorsSpec::disable);
            return;
        }
        CorsConfiguration allowed = new CorsConfiguration();
        allowed.setAllowedOrigins(origins);
        allowed.setAllowedMethods(List.of("GET", "HEAD", "POST", "PUT", "DELETE"));
        allowed.setAllowedHeaders(List.of(CorsConfiguration.ALL));
        allowed.setExposedHeaders(
                List.of(
                        HttpHeaders.LOCATION,
                        HttpHeaders.CONTENT_LOCATION,
                        HttpHeaders.LINK,
                        HttpHeaders.ETAG,
                        HttpHeaders.RETRY_AFTER,
                        HttpHeaders.WWW_AUTHENTICATE));
        allowed.setMaxAge(PREFLIGHT_MAX_AGE);
        UrlBasedCorsConfigurationSource source = new UrlBasedCorsConfigurationSource();
        source.registerCorsConfiguration("/**", allowed);
        http.cors(cors -> cors.configurationSource(source));
    }
}
