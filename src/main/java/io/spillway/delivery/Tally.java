package io.spillway.delivery;

import io.spillway.delivery.capture.CaptureRead;
import io.spillway.delivery.capture.Captured;
import io.spillway.delivery.http.Answer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of a delivery's batches, and what of that is not recorded yet. Belongs to one
 * thread.
 */
final class Tally {

    /** Old attempts are removed so many at a time. */
    private static final long ATTEMPTS_AT_ONCE = 256;

    /** How long the rate stays as it was if nothing else is to be recorded. */
    private static final long RATE_NANOS = 4_000_000_000L;

    private final DeliveryLease lease;
    private final Ledger ledger;
    private final Rate rate = new Rate(System.nanoTime());
    private final int attemptsKept;
    private Changes changes;
    private List<OpenBatch> halves = new ArrayList<>();
    private List<OpenBatch> halvesUnderWay = List.of();
    private int unrecorded;
    private int underWay;
    private long deliveredBatches;
    private long deliveredRows;
    private long attempts;
    private long failedAttempts;
    private long trimmedAt;
    private long droppedRows;
    private double lastRate;
    private long madeAt = System.nanoTime();
    private @Nullable Instant failingSince;

    /**
     * A request that has ended.
     *
     * @param read what was captured out of an answer that delivers; null if nothing is to be
     */
    record Sent(
            OpenBatch batch,
            int attempt,
            Instant startedAt,
            Answer answer,
            @Nullable CaptureRead read) {}

    Tally(DeliveryStore.Claim claim, int attemptsKept) {
        DeliveryProgress progress = claim.delivery().progress();
        this.lease = claim.lease();
        this.ledger =
                new Ledger(
                        progress.committedRow(),
                        claim.batches().stream()
                                .filter(batch -> batch.firstRow() >= progress.committedRow())
                                .toList());
        this.attemptsKept = attemptsKept;
        this.changes = new Changes(lease);
        this.deliveredBatches = progress.deliveredBatches();
        this.deliveredRows = progress.deliveredRows();
        this.attempts = progress.attempts();
        this.failedAttempts = progress.failedAttempts();
        this.trimmedAt = attempts;
        this.droppedRows = progress.droppedRows();
        this.failingSince = progress.failingSince();
    }

    /** The target has the batch. */
    void delivered(Sent sent, Instant now) {
        OpenBatch batch = sent.batch();
        add(sent, "delivered", null, null);
        unrecorded++;
        deliveredBatches++;
        deliveredRows += batch.rows();
        failingSince = null;
        rate.add(batch.rows());
        if (sent.read() instanceof Captured captured) {
            changes.add(captured);
        }
        if (batch.isStored()) {
            changes.remove(batch.firstRow());
        }
        ledger.delivered(batch.firstRow(), batch.end(), changes, now);
    }

    /** The batch is to be sent again. */
    void waits(Sent sent, BatchFailure failure, Instant due, Instant now) {
        failed(sent, failure, due, now);
        changes.keep(sent.batch().stored(StoredBatch.State.WAITING, due, failure, now));
    }

    /** The target does not take the batch. */
    void died(Sent sent, BatchFailure failure, Instant now) {
        failed(sent, failure, null, now);
        died(sent.batch(), failure, now);
    }

    /** The batch cannot be sent. */
    void died(OpenBatch batch, BatchFailure failure, Instant now) {
        changes.died(batch.stored(StoredBatch.State.DEAD, null, failure, now));
        ledger.dead(batch.firstRow(), batch.end(), changes);
    }

    /** The batch is too large; its halves may be sent once that is recorded. */
    void halved(Sent sent, BatchFailure failure, Instant now) {
        failed(sent, failure, now, now);
        OpenBatch batch = sent.batch();
        long rows = (batch.rows() + 1) / 2;
        half(new OpenBatch(batch.firstRow(), rows), now);
        half(new OpenBatch(batch.firstRow() + rows, batch.rows() - rows), now);
    }

    private void half(OpenBatch half, Instant now) {
        changes.keep(half.stored(StoredBatch.State.WAITING, now, null, now));
        halves.add(half);
    }

    /** An attempt failed; what becomes of the batch is seen elsewhere. */
    void failed(Sent sent, BatchFailure failure, @Nullable Instant due, Instant now) {
        add(sent, failure.reason(), failure, due);
        unrecorded++;
        failedAttempts++;
        if (failingSince == null) {
            failingSince = now;
        }
    }

    private void add(
            Sent sent, String outcome, @Nullable BatchFailure failure, @Nullable Instant due) {
        attempts++;
        changes.add(
                new DeliveryAttempt(
                        attempts,
                        sent.batch().firstRow(),
                        sent.batch().rows(),
                        sent.attempt(),
                        sent.startedAt(),
                        sent.answer().latency(),
                        outcome,
                        sent.answer() instanceof Answer.Response response
                                ? Integer.valueOf(response.status())
                                : null,
                        failure == null ? null : failure.message(),
                        due));
    }

    /** Since when nothing was delivered. */
    @Nullable Instant failingSince() {
        return failingSince;
    }

    /** The end is known, and how many rows make no batch. */
    void ends(long dropped) {
        droppedRows = dropped;
        changes.moved();
    }

    /** Something that is shown has changed. */
    void moved() {
        changes.moved();
    }

    /** Lets the rate fall, now and then, if nothing is delivered. */
    void settleRate(long nowNanos) {
        if (lastRate > 0 && nowNanos - madeAt > RATE_NANOS) {
            changes.moved();
        }
    }

    /** Requests that were answered, and whose answers are not recorded. */
    int unrecorded() {
        return unrecorded + underWay;
    }

    /** Whether there is nothing to record. */
    boolean isEmpty() {
        return changes.isEmpty();
    }

    /** What is to be recorded now. */
    Changes.Made make(Batches batches) {
        Changes made = changes;
        changes = new Changes(lease);
        halvesUnderWay = halves;
        halves = new ArrayList<>();
        underWay = unrecorded;
        unrecorded = 0;
        madeAt = System.nanoTime();
        lastRate = rate.at(madeAt);
        return new Changes.Made(
                made,
                new DeliveryProgress(
                        ledger.committed(),
                        batches.end(),
                        droppedRows,
                        deliveredBatches,
                        deliveredRows,
                        0,
                        0,
                        batches.waiting(),
                        batches.nextDue(),
                        attempts,
                        failedAttempts,
                        lastRate,
                        failingSince),
                oldestAttempt());
    }

    /** Attempts before it go; 0 if none go this time. */
    private long oldestAttempt() {
        if (attempts - trimmedAt < ATTEMPTS_AT_ONCE) {
            return 0;
        }
        trimmedAt = attempts;
        return Math.max(0, attempts - attemptsKept + 1);
    }

    /** That is recorded: these halves may be sent. */
    List<OpenBatch> recorded() {
        List<OpenBatch> ready = halvesUnderWay;
        halvesUnderWay = List.of();
        underWay = 0;
        return ready;
    }
}
