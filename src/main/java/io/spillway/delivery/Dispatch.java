package io.spillway.delivery;

import io.spillway.delivery.body.BadBody;
import io.spillway.delivery.body.Body;
import io.spillway.delivery.body.BodyRead;
import io.spillway.delivery.body.NoRows;
import io.spillway.delivery.capture.CaptureRead;
import io.spillway.delivery.capture.Refused;
import io.spillway.delivery.http.Answer;
import io.spillway.delivery.http.Exchange;
import io.spillway.delivery.http.Outcome;
import io.spillway.delivery.http.RetryAfter;
import io.spillway.encode.ShortReason;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.execution.Failures;
import io.spillway.group.Cut;
import io.spillway.plan.document.DeliveryRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides what is sent when, on a thread that does nothing else: bodies are read, requests sent and
 * answers recorded elsewhere, and it is told what came of that.
 *
 * <pre>
 *   cut ─▶ body read ─▶ request sent ─▶ answer ─▶ recorded
 *    ▲                                    │
 *    └───────── waits, until due ◀────────┘
 * </pre>
 */
final class Dispatch {

    private static final Logger LOG = LoggerFactory.getLogger(Dispatch.class);

    /** How often it looks whether its job and its figures are to be renewed. */
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(5);

    /** How soon it looks again whether this process may send. */
    private static final Duration SHORT_WAIT = Duration.ofMillis(200);

    /** A rest so long is worth reading on anew. */
    private static final Duration LONG_REST = Duration.ofSeconds(1);

    private static final Duration RENEWAL = Duration.ofMinutes(1);

    /** How long requests may still take when the service stops. */
    private static final Duration LAST_REQUESTS = Duration.ofSeconds(3);

    /** How often rows may be unreadable, one time after the other. */
    private static final int MOST_UNREADABLE = 20;

    private final Deliverer deliverer;
    private final DeliveryLease lease;
    private final Outbox outbox;
    private final Events events;
    private final DeliveryRequest request;
    private final Batches batches;
    private final Tally tally;
    private final Permits permits;
    private final Map<Long, Exchange> exchanges = new HashMap<>();
    private final int mostWaiting;
    private @Nullable Stop stop;
    private boolean recording;
    private boolean moreWait;
    private boolean toAttend;
    private Instant renewAt;
    private @Nullable Instant abortAt;

    Dispatch(Deliverer deliverer, DeliveryStore.Claim claim, Outbox outbox, Events events) {
        this.deliverer = deliverer;
        this.lease = claim.lease();
        this.outbox = outbox;
        this.events = events;
        this.request = outbox.request();
        this.mostWaiting = deliverer.settings().maxWaiting();
        this.batches =
                new Batches(request, mostWaiting, claim.delivery().progress(), claim.batches());
        this.tally = new Tally(claim, deliverer.settings().attemptsKept());
        this.permits = new Permits(request.requestsPerSecond());
        this.renewAt = now().plus(RENEWAL);
    }

    private Instant now() {
        return deliverer.clock().instant();
    }

    /** Whether what went wrong so may go better another time. */
    static boolean isPassing(ErrorCode code) {
        return switch (code) {
            case MEMORY_LIMIT,
                    DISK_FULL,
                    READ_FAILED,
                    WRITE_FAILED,
                    TOO_MANY_READERS,
                    STORE_FAILED,
                    SHUTTING_DOWN ->
                    true;
            default -> false;
        };
    }

    /** Gives up what is under way, after something unexpected. */
    void close() {
        abort();
        stop(new Stop.GivenBack());
        events.close(this);
    }

    /**
     * Sends until there is nothing more to be sent, or a reason not to; then nothing is under way.
     */
    Stop run() {
        while (true) {
            begin();
            record();
            if (batches.active() == 0 && !recording && tally.isEmpty() && !toAttend) {
                if (stop != null) {
                    return stop;
                }
                if (batches.areSettled() && !moreWait) {
                    return new Stop.Settled();
                }
            }
            Duration patience = patience();
            if (batches.active() == 0 && patience.compareTo(LONG_REST) > 0) {
                outbox.release();
                tally.settleRate(System.nanoTime());
            }
            events.deal(this, patience);
            look();
        }
    }

    /** Others have changed the delivery. */
    void attend() {
        toAttend = true;
    }

    private void attended() {
        Optional<DeliveryStore.Attended> attended;
        try {
            attended = deliverer.store().attend(lease, mostWaiting + request.concurrency());
            toAttend = false;
        } catch (SpillwayException e) {
            LOG.warn("what has become of delivery {} is seen later", lease.delivery(), e);
            return;
        }
        if (attended.isEmpty()) {
            lose();
            return;
        }
        DeliveryStore.Attended found = attended.get();
        if (found.state() != DeliveryState.RUNNING) {
            stop(new Stop.GivenBack());
            return;
        }
        found.waiting().forEach(batch -> batches.add(OpenBatch.of(batch)));
        moreWait = found.waiting().size() >= mostWaiting + request.concurrency();
    }

    /** What it had stopped for is not so any more. */
    void goOn() {
        stop = null;
        attend();
    }

    /** The service stops. */
    void giveBack() {
        stop(new Stop.GivenBack());
        abortAt = now().plus(LAST_REQUESTS);
    }

    private void stop(Stop reason) {
        if (stop == null) {
            stop = reason;
        }
    }

    private void lose() {
        stop = new Stop.Lost();
        abort();
    }

    private void abort() {
        exchanges.values().forEach(Exchange::abort);
    }

    private Duration patience() {
        Instant now = now();
        if (toAttend || !deliverer.isAlive()) {
            return SHORT_WAIT;
        }
        Duration patience = LONGEST_WAIT;
        if (abortAt != null) {
            patience = shorter(patience, Duration.between(now, abortAt));
        }
        if (stop == null && batches.active() < request.concurrency()) {
            Instant due = batches.nextDue();
            Duration permit = permits.untilNext(System.nanoTime());
            if (permit.isPositive()) {
                patience = shorter(patience, permit);
            } else if (due != null) {
                patience = shorter(patience, Duration.between(now, due));
            }
        }
        return patience.isNegative() ? Duration.ZERO : patience;
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    /** What is to be done from time to time. */
    private void look() {
        if (toAttend) {
            attended();
        }
        Instant now = now();
        if (abortAt != null && !now.isBefore(abortAt)) {
            abort();
        }
        if (now.isBefore(renewAt)) {
            return;
        }
        renewAt = now.plus(RENEWAL);
        try {
            outbox.renew();
        } catch (SpillwayException e) {
            unreadable(e);
        }
    }

    /** Begins all that may begin. */
    private void begin() {
        while (stop == null
                && deliverer.isAlive()
                && batches.active() + tally.unrecorded() < 2 * request.concurrency()
                && !permits.untilNext(System.nanoTime()).isPositive()) {
            OpenBatch due = batches.takeDue(now());
            if (due != null) {
                var _ =
                        outbox.read(due)
                                .whenComplete(
                                        (read, failure) ->
                                                told(read, self -> self.read(due, read, failure)));
            } else if (batches.mayCut()) {
                batches.beginCut();
                var _ =
                        outbox.next(batches.next())
                                .whenComplete(
                                        (read, failure) ->
                                                told(read, self -> self.cut(read, failure)));
            } else {
                return;
            }
            permits.taken();
        }
    }

    /** Tells what was read, or frees it if nobody listens any more. */
    private void told(@Nullable BodyRead read, Consumer<Dispatch> event) {
        if (!events.tell(event) && read instanceof Body body) {
            body.close();
        }
    }

    private void cut(@Nullable BodyRead read, @Nullable Throwable failure) {
        switch (read) {
            case null -> {
                batches.cutFailed();
                unreadable(Failures.asSpillway(Objects.requireNonNull(failure)));
            }
            case NoRows() -> {
                batches.cutFailed();
                end(batches.next());
            }
            case Body body -> read(cut(body.cut()), body, null);
            case BadBody bad -> read(cut(bad.cut()), bad, null);
        }
    }

    private OpenBatch cut(Cut cut) {
        OpenBatch batch = batches.cut(cut.rows());
        if (cut.shortReason() == ShortReason.END) {
            end(cut.end());
        }
        return batch;
    }

    private void end(long row) {
        batches.endAt(row);
        tally.ends(outbox.rowsBehind(row));
    }

    private void read(OpenBatch batch, @Nullable BodyRead read, @Nullable Throwable failure) {
        switch (read) {
            case null -> {
                batches.putBack(batch);
                unreadable(Failures.asSpillway(Objects.requireNonNull(failure)));
            }
            case NoRows() -> {
                batches.putBack(batch);
                unreadable(
                        new SpillwayException(
                                ErrorCode.SOURCE_CHANGED,
                                "The job has no row %d any more".formatted(batch.firstRow())));
            }
            case BadBody(_, SpillwayException reason) -> {
                permits.readable();
                bury(batch, DeliveryReason.of(reason));
            }
            case Body body -> {
                permits.readable();
                send(batch, body);
            }
        }
    }

    /** The batch cannot be sent. */
    private void bury(OpenBatch batch, DeliveryReason reason) {
        tally.died(batch, new BatchFailure(reason.code(), reason.message(), null, null), now());
        batches.remove(batch);
        deliverer.died();
    }

    /** Rows cannot be had, now or ever. */
    private void unreadable(SpillwayException failure) {
        if (failure.code() == ErrorCode.SHUTTING_DOWN) {
            stop(new Stop.GivenBack());
        } else if (!isPassing(failure.code())
                || permits.unreadable(System.nanoTime()) >= MOST_UNREADABLE) {
            stop(new Stop.Ended(DeliveryState.FAILED, DeliveryReason.of(failure)));
        }
    }

    private void send(OpenBatch batch, Body body) {
        Long most = request.batch().maxBytes();
        if (most != null && body.bytes() > most) {
            long bytes = body.bytes();
            body.close();
            bury(
                    batch,
                    new DeliveryReason(
                            "body-too-large",
                            "The body has %,d bytes, %,d more than it may"
                                    .formatted(bytes, bytes - most),
                            Map.of()));
            return;
        }
        Duration closed =
                stop != null ? Duration.ZERO : deliverer.breakers().admit(outbox.endpoint());
        if (closed != null) {
            body.close();
            batch.waitUntil(now().plus(closed));
            batches.putBack(batch);
            permits.pause(closed, System.nanoTime());
            tally.moved();
            return;
        }
        int attempt = batch.attempt();
        Instant startedAt = now();
        Exchange exchange = outbox.send(batch, body);
        exchanges.put(batch.firstRow(), exchange);
        long bytes = body.bytes();
        var _ =
                exchange.answer()
                        .thenAccept(
                                answer -> {
                                    body.close();
                                    CaptureRead captured = outbox.read(batch, answer);
                                    events.tell(
                                            self ->
                                                    self.answered(
                                                            new Tally.Sent(
                                                                    batch, attempt, startedAt,
                                                                    answer, captured),
                                                            bytes));
                                });
    }

    private void answered(Tally.Sent sent, long bytes) {
        OpenBatch batch = sent.batch();
        Answer answer = sent.answer();
        exchanges.remove(batch.firstRow());
        deliverer.breakers().record(outbox.endpoint(), answer);
        if (stop != null
                && answer instanceof Answer.Failure(Answer.Kind kind, _, _)
                && kind == Answer.Kind.ABORTED) {
            batches.putBack(batch);
            return;
        }
        Instant now = now();
        Outcome outcome = Outcome.of(answer);
        switch (outcome) {
            case DELIVERED -> {
                if (sent.read() instanceof Refused refused) {
                    refuse(sent, refused, now);
                    break;
                }
                tally.delivered(sent, now);
                batches.remove(batch);
                deliverer.delivered(batch.rows(), bytes);
                return;
            }
            case RETRY, THROTTLED -> again(sent, outcome, now);
            case TOO_LARGE -> tooLarge(sent, now);
            case REJECTED -> reject(sent, outcome, now);
            case STOP -> {
                tally.failed(sent, BadAnswers.of(answer, outcome), null, now);
                batches.putBack(batch);
                stop(new Stop.Ended(DeliveryState.FAILED, DeliveryReason.targetGone()));
            }
        }
        deliverer.failed();
        Instant since = tally.failingSince();
        if (since != null && !since.plus(request.disableAfter()).isAfter(now)) {
            stop(
                    new Stop.Ended(
                            DeliveryState.DISABLED, DeliveryReason.noSuccess(since.toString())));
        }
    }

    /** What came of the request may pass. */
    private void again(Tally.Sent sent, Outcome outcome, Instant now) {
        OpenBatch batch = sent.batch();
        if (outcome == Outcome.THROTTLED) {
            batch.wasThrottled();
        } else {
            batch.failed();
        }
        if (outbox.schedule().exhausted(batch.failures(), batch.throttled())) {
            reject(sent, outcome, now);
            return;
        }
        Duration asked =
                sent.answer() instanceof Answer.Response response && response.retryAfter() != null
                        ? RetryAfter.parse(response.retryAfter(), now)
                        : null;
        Duration delay = outbox.schedule().delay(batch.failures() + batch.throttled(), asked);
        tally.waits(sent, BadAnswers.of(sent.answer(), outcome), now.plus(delay), now);
        batches.putBack(batch);
    }

    private void tooLarge(Tally.Sent sent, Instant now) {
        if (request.splitOnTooLarge() && sent.batch().rows() > 1) {
            tally.halved(sent, BadAnswers.of(sent.answer(), Outcome.TOO_LARGE), now);
            batches.remove(sent.batch());
        } else {
            reject(sent, Outcome.TOO_LARGE, now);
        }
    }

    private void reject(Tally.Sent sent, Outcome outcome, Instant now) {
        tally.died(sent, BadAnswers.of(sent.answer(), outcome), now);
        batches.remove(sent.batch());
        deliverer.died();
    }

    /** The target has the batch, but its answer has not what is to be captured. */
    private void refuse(Tally.Sent sent, Refused refused, Instant now) {
        tally.died(sent, BadAnswers.of(sent.answer(), refused), now);
        batches.remove(sent.batch());
        deliverer.died();
    }

    /** Has recorded what is not, unless something is being recorded. */
    private void record() {
        if (recording || tally.isEmpty()) {
            return;
        }
        recording = true;
        Changes.Made made = tally.make(batches);
        var _ =
                outbox.place(made.changes())
                        .thenCompose(placed -> deliverer.recorder().record(made))
                        .whenComplete(
                                (held, failure) ->
                                        events.tell(self -> self.recorded(held, failure)));
    }

    private void recorded(@Nullable Boolean held, @Nullable Throwable failure) {
        recording = false;
        tally.recorded().forEach(batches::add);
        if (failure != null) {
            SpillwayException reason = Failures.asSpillway(failure);
            stop(
                    isPassing(reason.code())
                            ? new Stop.GivenBack()
                            : new Stop.Ended(DeliveryState.FAILED, DeliveryReason.of(reason)));
        } else if (!Boolean.TRUE.equals(held)) {
            lose();
        } else if (moreWait && batches.waiting() < mostWaiting / 2) {
            attend();
        }
    }
}
