package io.spillway.config;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Where rows of jobs may be sent, and how.
 *
 * @param allowHttp whether requests may go without TLS
 * @param allowedTargets networks, addresses and host names that may be sent to beside all public
 *     addresses
 * @param running deliveries that this process sends at once; others wait
 * @param maxOpen deliveries that may be open, over all callers
 * @param lease how long a process that has died holds up the deliveries that it sent
 * @param maxConcurrency requests of a delivery that may be under way at once
 * @param maxWaiting batches of a delivery in any order that may wait for their next attempt
 * @param captureResponse how much is read of an answer that columns are taken out of
 * @param attemptsKept attempts of a delivery that are kept
 * @param linkGrace how long a link to a batch works once that is settled
 * @param publicUrl what links to batches begin with; none: no body has links
 */
public record DeliveryProperties(
        @DefaultValue("false") boolean allowHttp,
        @DefaultValue List<String> allowedTargets,
        @DefaultValue("2000") int running,
        @DefaultValue("10000") int maxOpen,
        @DefaultValue("10s") Duration lease,
        @DefaultValue("256") int maxConcurrency,
        @DefaultValue("1000") int maxWaiting,
        @DefaultValue("16MB") DataSize captureResponse,
        @DefaultValue("1000") int attemptsKept,
        @DefaultValue("1h") Duration linkGrace,
        @Nullable String publicUrl) {

    public DeliveryProperties {
        allowedTargets = List.copyOf(allowedTargets);
        allowedTargets.forEach(
                target -> Require.notBlank("spillway.delivery.allowed-targets", target));
        Require.positive("spillway.delivery.running", running);
        Require.that(maxOpen >= 0, "spillway.delivery.max-open must not be negative");
        Require.that(
                lease.compareTo(Duration.ofSeconds(1)) >= 0,
                "spillway.delivery.lease must not be under 1s");
        Require.positive("spillway.delivery.max-concurrency", maxConcurrency);
        Require.positive("spillway.delivery.max-waiting", maxWaiting);
        Require.positiveInt("spillway.delivery.capture-response", captureResponse);
        Require.positive("spillway.delivery.attempts-kept", attemptsKept);
        Require.notNegative("spillway.delivery.link-grace", linkGrace);
    }
}
