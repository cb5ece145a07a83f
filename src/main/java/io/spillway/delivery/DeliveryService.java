package io.spillway.delivery;

import io.spillway.catalog.Catalog;
import io.spillway.delivery.body.BodyForm;
import io.spillway.delivery.http.Secrets;
import io.spillway.delivery.http.TargetRules;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.job.Job;
import io.spillway.job.JobIds;
import io.spillway.job.JobService;
import io.spillway.job.JobStore.IdempotencyKey;
import io.spillway.plan.document.DeliveryRequest;
import io.spillway.plan.document.PlanRequestParser;
import io.spillway.plan.document.ReplayRequest;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What callers can do with deliveries. Calls wait for disk and database; run them where waiting is
 * allowed. A delivery of another owner does not exist.
 */
public final class DeliveryService {

    private final PlanRequestParser parser;
    private final JobService jobs;
    private final Catalog catalog;
    private final DeliveryStore store;
    private final Captures captures;
    private final Deliverer deliverer;
    private final Endpoints endpoints;
    private final DeliverySettings settings;
    private final Clock clock;

    public DeliveryService(
            PlanRequestParser parser,
            JobService jobs,
            Catalog catalog,
            DeliveryStore store,
            Captures captures,
            Deliverer deliverer,
            TargetRules rules,
            Secrets secrets,
            DeliverySettings settings,
            Clock clock) {
        this.parser = parser;
        this.jobs = jobs;
        this.catalog = catalog;
        this.store = store;
        this.captures = captures;
        this.deliverer = deliverer;
        this.endpoints = new Endpoints(rules, secrets);
        this.settings = settings;
        this.clock = clock;
    }

    /** A delivery, and whether this call made it. */
    public record Submission(Delivery delivery, boolean created) {}

    /**
     * Begins to send a job's rows, behind the caller's back.
     *
     * @param idempotencyKey makes a repeat return the first one's delivery
     * @throws SpillwayException what is wrong with the body, its plan included; {@code
     *     UNKNOWN_JOB}, {@code JOB_EXPIRED}, {@code JOB_CANCELED}; {@code TARGET_NOT_ALLOWED},
     *     {@code UNKNOWN_SECRET}, {@code UNKNOWN_COLUMN}, {@code DATASET_EXISTS}; {@code
     *     TOO_MANY_DELIVERIES}; {@code IDEMPOTENCY_CONFLICT}
     */
    public Submission submit(String owner, byte[] body, @Nullable String idempotencyKey) {
        DeliveryRequest request = parser.parseDelivery(body);
        IdempotencyKey key =
                idempotencyKey == null ? null : IdempotencyKey.of(idempotencyKey, body);
        Optional<Delivery> first = key == null ? Optional.empty() : store.find(owner, key);
        if (first.isPresent()) {
            return new Submission(first.get(), false);
        }
        checkSize(request);
        checkDataset(owner, request);
        endpoints.checked(request);
        if (store.open() >= settings.maxOpen()) {
            throw new SpillwayException(
                            ErrorCode.TOO_MANY_DELIVERIES,
                            "%,d deliveries are open, as many as may be"
                                    .formatted(settings.maxOpen()))
                    .with(SpillwayException.LIMIT, settings.maxOpen());
        }
        Submission made =
                switch (request.source()) {
                    case DeliveryRequest.Source.OfJob(String id) ->
                            add(job(owner, id), request, body, key);
                    case DeliveryRequest.Source.OfPlan(String plan) ->
                            addPlanned(owner, plan, request, body, key);
                };
        deliverer.look();
        return made;
    }

    private void checkDataset(String owner, DeliveryRequest request) {
        DeliveryRequest.Capture capture = request.capture();
        String name = capture == null ? null : capture.dataset();
        if (name == null) {
            return;
        }
        Captures.checkName(name);
        if (catalog.of(owner).datasetNames().contains(name)) {
            throw CaptureStore.exists(name, null);
        }
    }

    private void checkSize(DeliveryRequest request) {
        if (request.concurrency() > settings.maxConcurrency()) {
            throw tooMany(
                    "/concurrency",
                    "requests are under way at once",
                    request.concurrency(),
                    settings.maxConcurrency());
        }
        if (request.batch().rows() > settings.maxBatchRows()) {
            throw tooMany(
                    "/batch/rows",
                    "rows are in a batch",
                    request.batch().rows(),
                    settings.maxBatchRows());
        }
    }

    private static SpillwayException tooMany(String pointer, String what, long found, long limit) {
        return new SpillwayException(
                        ErrorCode.INVALID_PLAN,
                        "%,d %s at most, not %,d".formatted(limit, what, found))
                .with(SpillwayException.POINTER, pointer)
                .with(SpillwayException.FOUND, found)
                .with(SpillwayException.LIMIT, limit);
    }

    private Job job(String owner, String id) {
        try {
            return jobs.toRead(owner, id);
        } catch (SpillwayException e) {
            throw e.with(SpillwayException.POINTER, "/job");
        }
    }

    /** A plan becomes a job of its own, which ends if the delivery comes to nothing. */
    private Submission addPlanned(
            String owner,
            String plan,
            DeliveryRequest request,
            byte[] body,
            @Nullable IdempotencyKey key) {
        Job job = jobs.submit(owner, plan.getBytes(StandardCharsets.UTF_8), null).job();
        boolean used = false;
        try {
            Submission made = add(job, request, body, key);
            used = made.created();
            return made;
        } finally {
            if (!used) {
                jobs.cancel(owner, job.id());
            }
        }
    }

    private Submission add(
            Job job, DeliveryRequest request, byte[] body, @Nullable IdempotencyKey key) {
        BodyForm form =
                BodyForm.of(
                        request.body(), request.bodyFormat(), job.plan().schema(), request.batch());
        if (form.usesLinks() && settings.publicUrl() == null) {
            throw new SpillwayException(
                            ErrorCode.NOT_SUPPORTED,
                            "Bodies have no links here: spillway.delivery.public-url is not set")
                    .with(SpillwayException.POINTER, "/body");
        }
        if (request.capture() != null) {
            var _ = Captures.form(request.capture(), job.plan().schema());
        }
        Delivery delivery =
                new Delivery(
                        JobIds.next(),
                        job.owner(),
                        job.id(),
                        clock.instant().truncatedTo(ChronoUnit.MILLIS),
                        parser.deliveryOf(body, job.id()),
                        DeliveryState.RUNNING,
                        null,
                        DeliveryProgress.NONE,
                        null);
        DeliveryRequest.Capture capture = request.capture();
        Delivery stored =
                capture == null
                        ? store.add(delivery, key)
                        : store.add(delivery, key, Captures.name(delivery.id(), capture));
        return new Submission(stored, stored.id().equals(delivery.id()));
    }

    /** The caller's delivery, or {@code UNKNOWN_DELIVERY}. */
    public Delivery get(String owner, String id) {
        return store.find(id)
                .filter(delivery -> delivery.owner().equals(owner))
                .orElseThrow(
                        () ->
                                new SpillwayException(
                                        ErrorCode.UNKNOWN_DELIVERY, "There is no delivery " + id));
    }

    /** The caller's deliveries, newest first. */
    public List<Delivery> list(String owner, @Nullable String before, int limit) {
        return store.list(owner, before, limit);
    }

    /** Deliveries as they are now; those that are gone are left out. */
    public List<Delivery> look(Collection<String> ids) {
        return store.find(ids);
    }

    /** What was asked for. */
    public DeliveryRequest request(Delivery delivery) {
        return parser.parseDelivery(delivery.request().getBytes(StandardCharsets.UTF_8));
    }

    /** The dataset that comes of what is captured; null if nothing is. */
    public @Nullable CapturedDataset dataset(Delivery delivery, DeliveryRequest request) {
        DeliveryRequest.Capture capture = request.capture();
        return capture == null
                ? null
                : captures.store()
                        .dataset(delivery.id())
                        .orElseGet(
                                () ->
                                        new CapturedDataset(
                                                delivery.id(),
                                                Captures.name(delivery.id(), capture),
                                                null));
    }

    /** How many rows there are to be sent; null if they are not counted. */
    public @Nullable Long rows(Delivery delivery) {
        Long end = delivery.progress().endRow();
        if (end != null) {
            return end;
        }
        try {
            return jobs.known(jobs.get(delivery.owner(), delivery.job())).total();
        } catch (SpillwayException e) {
            if (e.code() == ErrorCode.UNKNOWN_JOB) {
                return null;
            }
            throw e;
        }
    }

    /**
     * Has the delivery rest: requests that are under way may end, and none is begun.
     *
     * @throws SpillwayException {@code UNKNOWN_DELIVERY}, {@code DELIVERY_ENDED}
     */
    public Delivery pause(String owner, String id) {
        toChange(owner, id);
        store.pause(id);
        return changed(owner, id);
    }

    /**
     * Has a delivery go on that rests.
     *
     * @throws SpillwayException as {@link #pause}
     */
    public Delivery resume(String owner, String id) {
        toChange(owner, id);
        store.resume(id);
        return changed(owner, id);
    }

    /** Ends a delivery: requests that are under way may end, and none is begun. */
    public Delivery cancel(String owner, String id) {
        get(owner, id);
        store.cancel(id);
        Delivery canceled = changed(owner, id);
        captures.store().withdraw(id);
        if (!deliverer.sends(id)) {
            captures.tidy(canceled, request(canceled));
        }
        return canceled;
    }

    /**
     * Has dead letters sent once more, as if for the first time.
     *
     * @param body {@code {"batches": [0, 96]}}, of their first rows, or {@code {"all": true}}
     * @throws SpillwayException {@code UNKNOWN_DELIVERY}; {@code DELIVERY_ENDED} if it failed or
     *     was canceled; {@code UNKNOWN_BATCH} if one that is named is no dead letter
     */
    public Delivery replay(String owner, String id, byte[] body) {
        ReplayRequest request = parser.parseReplay(body);
        Delivery delivery = get(owner, id);
        switch (delivery.state()) {
            case RUNNING, PAUSED, DISABLED, COMPLETED, COMPLETED_WITH_FAILURES -> {}
            case FAILED, CANCELED -> throw ended(delivery);
        }
        List<Long> batches = request.batches();
        if (batches != null) {
            for (int i = 0; i < batches.size(); i++) {
                checkDead(id, batches.get(i), "/batches/" + i);
            }
        }
        store.replay(id, batches);
        return changed(owner, id);
    }

    private void checkDead(String id, long row, String pointer) {
        if (store.batch(id, row)
                .filter(batch -> batch.state() == StoredBatch.State.DEAD)
                .isEmpty()) {
            throw new SpillwayException(
                            ErrorCode.UNKNOWN_BATCH,
                            "No batch that begins at row %d is a dead letter".formatted(row))
                    .with(SpillwayException.POINTER, pointer)
                    .with(SpillwayException.FOUND, row);
        }
    }

    private void toChange(String owner, String id) {
        Delivery delivery = get(owner, id);
        if (delivery.state().isEnd()) {
            throw ended(delivery);
        }
    }

    private static SpillwayException ended(Delivery delivery) {
        return new SpillwayException(
                        ErrorCode.DELIVERY_ENDED,
                        "The delivery is " + delivery.state() + " already")
                .with(SpillwayException.FOUND, delivery.state().name());
    }

    private Delivery changed(String owner, String id) {
        deliverer.changed(id);
        deliverer.look();
        return get(owner, id);
    }

    /**
     * Dead letters by their first rows.
     *
     * @param afterRow the first row of the last one that was seen; −1 for none
     */
    public List<StoredBatch> failures(String owner, String id, long afterRow, int limit) {
        return store.failures(get(owner, id).id(), afterRow, limit);
    }

    /**
     * Attempts that are kept, the latest first.
     *
     * @param beforeNumber the number of the last one that was seen
     */
    public List<DeliveryAttempt> attempts(String owner, String id, long beforeNumber, int limit) {
        return store.attempts(get(owner, id).id(), beforeNumber, limit);
    }
}
