package io.spillway.config;

import io.spillway.catalog.Catalog;
import io.spillway.cursor.KeyRing;
import io.spillway.cursor.LinkToken;
import io.spillway.delivery.CaptureStore;
import io.spillway.delivery.Captures;
import io.spillway.delivery.Deliverer;
import io.spillway.delivery.DeliveryService;
import io.spillway.delivery.DeliverySettings;
import io.spillway.delivery.DeliveryStore;
import io.spillway.delivery.JdbcDeliveryStore;
import io.spillway.delivery.PullLinks;
import io.spillway.delivery.http.Breakers;
import io.spillway.delivery.http.Secrets;
import io.spillway.delivery.http.Sender;
import io.spillway.delivery.http.TargetRules;
import io.spillway.job.JobService;
import io.spillway.plan.document.PlanLimits;
import io.spillway.plan.document.PlanRequestParser;
import io.spillway.storage.FileSystems;
import java.time.Clock;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcOperations;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;

/** Rows of jobs that are sent elsewhere in batches. */
@Configuration(proxyBeanMethods = false)
class DeliveryConfiguration {

    @Bean
    DeliverySettings deliverySettings(SpillwayProperties settings) {
        DeliveryProperties delivery = settings.delivery();
        return new DeliverySettings(
                delivery.running(),
                delivery.maxOpen(),
                delivery.lease(),
                delivery.maxConcurrency(),
                settings.limits().batchRows(),
                delivery.maxWaiting(),
                (int) delivery.captureResponse().toBytes(),
                delivery.attemptsKept(),
                delivery.linkGrace(),
                delivery.publicUrl());
    }

    @Bean
    TargetRules targetRules(SpillwayProperties settings) {
        return new TargetRules(
                settings.delivery().allowHttp(), settings.delivery().allowedTargets());
    }

    @Bean
    Secrets secrets(SpillwayProperties settings) {
        return name -> settings.secrets().get(name);
    }

    @Bean
    Sender sender(TargetRules rules, Secrets secrets) {
        return new Sender(rules, secrets);
    }

    @Bean
    DeliveryStore deliveryStore(
            NamedParameterJdbcOperations jdbc, PlatformTransactionManager transactions) {
        return new JdbcDeliveryStore(jdbc, transactions);
    }

    @Bean
    CaptureStore captureStore(JdbcClient jdbc) {
        return new CaptureStore(jdbc);
    }

    /** Beside the spools, so that replicas find what others have captured. */
    @Bean
    Captures captures(SpillwayProperties settings, FileSystems fileSystems, CaptureStore store) {
        String uri = SpoolUri.of(settings);
        return new Captures(
                Objects.requireNonNull(fileSystems.byScheme().get(SpoolUri.scheme(uri))),
                uri + "/captures",
                store);
    }

    @Bean
    PullLinks pullLinks(
            KeyRing keys,
            DeliveryStore store,
            JobService jobs,
            DeliverySettings settings,
            Clock clock) {
        return new PullLinks(new LinkToken(keys), store, jobs, settings, clock);
    }

    @Bean
    Deliverer deliverer(
            DeliveryStore store,
            JobService jobs,
            PlanLimits limits,
            Sender sender,
            PullLinks links,
            Captures captures,
            DeliverySettings settings,
            Clock clock,
            ExecutorService waiting) {
        return new Deliverer(
                store,
                jobs,
                new PlanRequestParser(limits),
                sender,
                new Breakers(),
                links,
                captures,
                settings,
                clock,
                waiting);
    }

    @Bean
    DeliveryService deliveryService(
            PlanLimits limits,
            JobService jobs,
            Catalog catalog,
            DeliveryStore store,
            Captures captures,
            Deliverer deliverer,
            TargetRules rules,
            Secrets secrets,
            DeliverySettings settings,
            Clock clock) {
        return new DeliveryService(
                new PlanRequestParser(limits),
                jobs,
                catalog,
                store,
                captures,
                deliverer,
                rules,
                secrets,
                settings,
                clock);
    }
}
