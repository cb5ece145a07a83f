package io.spillway.delivery;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.execution.Failures;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One delivery in the hands of this process, under a lease: opened, sent, and given back in the
 * state that it came to. However it ends, what is recorded as delivered is never sent again; what
 * was under way may be.
 */
final class DeliveryRun implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(DeliveryRun.class);

    private final Deliverer deliverer;
    private final DeliveryStore.Claim claim;
    private final DeliveryLease lease;
    private final Events events = new Events();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();

    private volatile boolean changed;

    DeliveryRun(Deliverer deliverer, DeliveryStore.Claim claim) {
        this.deliverer = deliverer;
        this.claim = claim;
        this.lease = claim.lease();
    }

    String id() {
        return lease.delivery();
    }

    /** Done when nothing of it is left to be done here. */
    CompletableFuture<Void> ended() {
        return ended;
    }

    /** Others have changed the delivery. */
    void changed() {
        changed = true;
        events.tell(Dispatch::attend);
    }

    /** The service stops: nothing more is begun, and what is under way has to end soon. */
    void giveBack() {
        events.tell(Dispatch::giveBack);
    }

    @Override
    public void run() {
        try {
            send();
            tidy();
        } catch (RuntimeException e) {
            LOG.warn("delivery {} goes on later", id(), e);
            deliverer.releaseLater(lease);
        } finally {
            ended.complete(null);
        }
    }

    private void send() {
        try (Outbox outbox = Outbox.open(deliverer, claim)) {
            Dispatch dispatch = new Dispatch(deliverer, claim, outbox, events);
            try {
                Stop stop = dispatch.run();
                while (!isSettled(stop, outbox)) {
                    // Others have changed it at the last moment.
                    dispatch.goOn();
                    stop = dispatch.run();
                }
            } finally {
                dispatch.close();
            }
        } catch (SpillwayException e) {
            SpillwayException failure = Failures.asSpillway(e);
            if (Dispatch.isPassing(failure.code())) {
                throw e;
            }
            isSettled(new Stop.Ended(DeliveryState.FAILED, DeliveryReason.of(failure)));
        }
    }

    private boolean isSettled(Stop stop, Outbox outbox) {
        Capture capture = stop instanceof Stop.Settled ? outbox.capture() : null;
        return capture == null ? isSettled(stop) : isCaptured(outbox, capture);
    }

    /** Makes a dataset of what was captured, and completes the delivery with that. */
    private boolean isCaptured(Outbox outbox, Capture capture) {
        changed = false;
        outbox.renew();
        CapturedFile file =
                capture.write(
                        outbox.job(),
                        () -> changed || deliverer.isClosing() || !deliverer.isAlive());
        if (file == null) {
            return false;
        }
        CaptureStore datasets = deliverer.captures().store();
        CapturedFile before = datasets.dataset(id()).map(CapturedDataset::file).orElse(null);
        boolean over;
        try {
            over = deliverer.store().complete(lease, capture.dataset(), file);
        } catch (SpillwayException e) {
            if (e.code() == ErrorCode.DATASET_EXISTS) {
                deliverer.captures().delete(file);
            }
            throw e;
        }
        CapturedFile found = datasets.dataset(id()).map(CapturedDataset::file).orElse(null);
        if (!file.equals(found)) {
            deliverer.captures().delete(file);
        } else if (before != null) {
            deliverer.captures().delete(before);
        }
        return over;
    }

    /** Removes what is of no use in the state that it has come to, whoever brought it there. */
    private void tidy() {
        deliverer
                .store()
                .find(id())
                .ifPresent(
                        delivery ->
                                deliverer.captures().tidy(delivery, deliverer.request(delivery)));
    }

    /** Gives it back in the state that it came to; not if others have changed it. */
    private boolean isSettled(Stop stop) {
        DeliveryStore store = deliverer.store();
        return switch (stop) {
            case Stop.Settled() -> store.complete(lease);
            case Stop.Ended(DeliveryState state, DeliveryReason reason) -> {
                if (reason.code().equals(ErrorCode.INTERNAL.slug())) {
                    LOG.error("delivery {} failed: {}", id(), reason.message());
                }
                yield store.end(lease, state, reason);
            }
            case Stop.GivenBack() -> {
                store.release(lease);
                yield true;
            }
            case Stop.Lost() -> true;
        };
    }
}
