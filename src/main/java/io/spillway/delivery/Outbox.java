package io.spillway.delivery;

import io.spillway.delivery.body.Body;
import io.spillway.delivery.body.BodyForm;
import io.spillway.delivery.body.BodyRead;
import io.spillway.delivery.body.BodyReader;
import io.spillway.delivery.http.Endpoint;
import io.spillway.delivery.http.Exchange;
import io.spillway.delivery.http.Post;
import io.spillway.delivery.http.RetrySchedule;
import io.spillway.job.Job;
import io.spillway.plan.document.DeliveryRequest;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;

/** What the batches of one delivery are made of, and where they go. Close it. */
final class Outbox implements AutoCloseable {

    /** Bytes of an answer that are read. */
    private static final int RESPONSE_LIMIT = 64 << 10;

    private final Deliverer deliverer;
    private final Delivery delivery;
    private final DeliveryRequest request;
    private final Endpoint endpoint;
    private final RetrySchedule schedule;
    private final BodyReader bodies;
    private Job job;

    private Outbox(
            Deliverer deliverer,
            Delivery delivery,
            DeliveryRequest request,
            Endpoint endpoint,
            Job job,
            BodyReader bodies) {
        this.deliverer = deliverer;
        this.delivery = delivery;
        this.request = request;
        this.endpoint = endpoint;
        this.job = job;
        this.bodies = bodies;
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
    static Outbox open(Deliverer deliverer, Delivery delivery) {
        DeliveryRequest request =
                deliverer
                        .parser()
                        .parseDelivery(delivery.request().getBytes(StandardCharsets.UTF_8));
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
        return new Outbox(deliverer, delivery, request, Endpoints.of(request), job, bodies);
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
                        RESPONSE_LIMIT);
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
