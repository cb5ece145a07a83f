package io.spillway.delivery;

import io.spillway.delivery.body.Body;
import io.spillway.delivery.body.BodyForm;
import io.spillway.delivery.body.BodyRead;
import io.spillway.delivery.body.BodyReader;
import io.spillway.delivery.capture.CaptureRead;
import io.spillway.delivery.http.Answer;
import io.spillway.delivery.http.Endpoint;
import io.spillway.delivery.http.Exchange;
import io.spillway.delivery.http.Outcome;
import io.spillway.delivery.http.Post;
import io.spillway.delivery.http.RetrySchedule;
import io.spillway.job.Job;
import io.spillway.plan.document.DeliveryRequest;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** What the batches of one delivery are made of, and where they go. Close it. */
final class Outbox implements AutoCloseable {

    /** Bytes of an answer that are read, unless something is captured out of it. */
    private static final int RESPONSE_LIMIT = 64 << 10;

    private final Deliverer deliverer;
    private final Delivery delivery;
    private final DeliveryRequest request;
    private final Endpoint endpoint;
    private final RetrySchedule schedule;
    private final BodyReader bodies;
    private final @Nullable Capture capture;
    private Job job;

    private Outbox(
            Deliverer deliverer,
            Delivery delivery,
            DeliveryRequest request,
            Endpoint endpoint,
            Job job,
            BodyReader bodies,
            @Nullable Capture capture) {
        this.deliverer = deliverer;
        this.delivery = delivery;
        this.request = request;
        this.endpoint = endpoint;
        this.job = job;
        this.bodies = bodies;
        this.capture = capture;
        DeliveryRequest.Retry retry = request.retry();
        this.schedule =
                new RetrySchedule(
                        retry.maxAttempts(),
                        retry.initialDelay(),
                        retry.maxDelay(),
                        retry.maxRetryAfter());
    }

    /**
     * Opens what a delivery needs. Reads no rows yet.
     *
     * @throws io.spillway.error.SpillwayException if its job is gone
     */
    static Outbox open(Deliverer deliverer, DeliveryStore.Claim claim) {
        Delivery delivery = claim.delivery();
        DeliveryRequest request = deliverer.request(delivery);
        Job job = deliverer.jobs().toRead(delivery.owner(), delivery.job());
        BodyForm form =
                BodyForm.of(
                        request.body(), request.bodyFormat(), job.plan().schema(), request.batch());
        BodyReader bodies =
                new BodyReader(
                        deliverer.jobs(),
                        job,
                        form,
                        deliverer.waiting(),
                        deliverer.links().of(delivery.id()));
        return new Outbox(
                deliverer,
                delivery,
                request,
                Endpoints.of(request),
                job,
                bodies,
                capture(deliverer, claim, request, job));
    }

    private static @Nullable Capture capture(
            Deliverer deliverer, DeliveryStore.Claim claim, DeliveryRequest request, Job job) {
        DeliveryRequest.Capture wanted = request.capture();
        return wanted == null
                ? null
                : new Capture(
                        deliverer,
                        claim.lease(),
                        Captures.name(claim.delivery().id(), wanted),
                        Captures.form(wanted, job.plan().schema()));
    }

    /** What takes columns out of answers, if anything does. */
    @Nullable Capture capture() {
        return capture;
    }

    /** What is captured out of an answer; null if nothing is to be. */
    @Nullable CaptureRead read(OpenBatch batch, Answer answer) {
        return capture != null
                        && answer instanceof Answer.Response response
                        && Outcome.of(answer) == Outcome.DELIVERED
                ? capture.read(batch, response.body(), response.truncated())
                : null;
    }

    /** Makes what was captured durable, elsewhere; fails with a {@code SpillwayException}. */
    CompletableFuture<Void> place(Changes changes) {
        if (capture == null || changes.captured().isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        Capture writer = capture;
        return CompletableFuture.runAsync(
                () -> changes.placed(writer.write(changes.captured())),
                Thread.ofVirtual().name("delivery-capture-" + delivery.id())::start);
    }

    /** The job whose rows are sent. */
    Job job() {
        return job;
    }

    DeliveryRequest request() {
        return request;
    }

    Endpoint endpoint() {
        return endpoint;
    }

    RetrySchedule schedule() {
        return schedule;
    }

    /** Reads the batch that begins at a row, as large as it is to be. */
    CompletableFuture<BodyRead> next(long firstRow) {
        return bodies.next(firstRow);
    }

    /** Reads a batch that was cut before. */
    CompletableFuture<BodyRead> read(OpenBatch batch) {
        return bodies.read(batch.firstRow(), batch.rows());
    }

    /** Sends a batch; its body stays the caller's. */
    Exchange send(OpenBatch batch, Body body) {
        return deliverer
                .sender()
                .send(
                        endpoint,
                        new Post(
                                BatchIds.of(delivery.id(), batch.firstRow(), batch.rows()),
                                delivery.id(),
                                batch.firstRow(),
                                batch.rows(),
                                batch.attempt(),
                                body.contentType(),
                                body.parts(),
                                delivery.id()),
                        capture == null
                                ? RESPONSE_LIMIT
                                : Math.max(RESPONSE_LIMIT, deliverer.settings().captureResponse()));
    }

    /** Keeps the job alive. */
    void renew() {
        job = deliverer.jobs().toRead(delivery.owner(), delivery.job());
    }

    /** Rows of the job behind a row, as far as they are counted. */
    long rowsBehind(long row) {
        Long total = deliverer.jobs().known(job).total();
        return total == null ? 0 : Math.max(0, total - row);
    }

    /** Gives back what is kept for reading on. */
    void release() {
        bodies.release();
    }

    @Override
    public void close() {
        bodies.close();
    }
}
