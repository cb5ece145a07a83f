package io.spillway.delivery;

import io.spillway.delivery.http.Breakers;
import io.spillway.delivery.http.Sender;
import io.spillway.job.JobIds;
import io.spillway.job.JobService;
import io.spillway.job.Turns;
import io.spillway.plan.document.DeliveryRequest;
import io.spillway.plan.document.PlanRequestParser;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the deliveries that this process has claimed, each on a thread of its own. The process has
 * one lease for all of them, which it keeps; what it leaves when it dies, or stops, another one
 * goes on with. Thread-safe.
 */
public final class Deliverer implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Deliverer.class);

    /** How long a stop waits for deliveries to be given back. */
    private static final Duration LONGEST_STOP = Duration.ofSeconds(10);

    private final DeliveryStore store;
    private final JobService jobs;
    private final PlanRequestParser parser;
    private final Sender sender;
    private final Breakers breakers;
    private final PullLinks links;
    private final Captures captures;
    private final DeliverySettings settings;
    private final Clock clock;
    private final Executor waiting;
    private final Recorder recorder;
    private final String holder = JobIds.next();
    private final Map<String, DeliveryRun> running = new ConcurrentHashMap<>();
    private final Queue<DeliveryLease> toRelease = new ConcurrentLinkedQueue<>();
    private final LongAdder batches = new LongAdder();
    private final LongAdder rows = new LongAdder();
    private final LongAdder bytes = new LongAdder();
    private final LongAdder failures = new LongAdder();
    private final LongAdder dead = new LongAdder();
    private final Turns turns;
    private volatile long heldUntil = System.nanoTime();
    private volatile boolean closing;

    /**
     * Starts to look for deliveries.
     *
     * @param sender stays the caller's
     * @param waiting runs what may wait for disk, network or database
     */
    public Deliverer(
            DeliveryStore store,
            JobService jobs,
            PlanRequestParser parser,
            Sender sender,
            Breakers breakers,
            PullLinks links,
            Captures captures,
            DeliverySettings settings,
            Clock clock,
            Executor waiting) {
        this.store = store;
        this.jobs = jobs;
        this.parser = parser;
        this.sender = sender;
        this.breakers = breakers;
        this.links = links;
        this.captures = captures;
        this.settings = settings;
        this.clock = clock;
        this.waiting = waiting;
        this.recorder = new Recorder(store);
        this.turns = new Turns("deliveries", settings.lease(), waiting, this::turn);
        turns.start();
        turns.soon();
    }

    /** Looks soon whether there is something to do. */
    void look() {
        turns.soon();
    }

    private void turn() {
        hold();
        release();
        store.changed(holder).forEach(this::changed);
        claim();
    }

    private void hold() {
        long asked = System.nanoTime();
        store.hold(holder, settings.lease());
        heldUntil = asked + settings.lease().toNanos();
    }

    private void release() {
        for (DeliveryLease lease = toRelease.peek(); lease != null; lease = toRelease.peek()) {
            store.release(lease);
            toRelease.remove();
        }
    }

    private void claim() {
        while (!closing && running.size() < settings.running()) {
            Optional<DeliveryStore.Claim> claim = store.claim(holder);
            if (claim.isEmpty()) {
                return;
            }
            DeliveryRun run = new DeliveryRun(this, claim.get());
            running.put(run.id(), run);
            var _ =
                    run.ended()
                            .thenRun(
                                    () -> {
                                        running.remove(run.id(), run);
                                        if (!closing) {
                                            look();
                                        }
                                    });
            Thread.ofVirtual().name("delivery-" + run.id()).start(run);
        }
    }

    /** Others than its thread have changed a delivery. */
    void changed(String id) {
        DeliveryRun run = running.get(id);
        if (run != null) {
            run.changed();
        }
    }

    /** Whether this process may send what it has claimed: nobody else may have by now. */
    boolean isAlive() {
        return heldUntil - System.nanoTime() > 0;
    }

    /** Gives a right back when the store answers. */
    void releaseLater(DeliveryLease lease) {
        toRelease.add(lease);
    }

    /** Whether this process has a delivery now, and looks after what it leaves. */
    boolean sends(String id) {
        return running.containsKey(id);
    }

    /** Deliveries that this process sends now. */
    public int running() {
        return running.size();
    }

    /** Batches that were delivered by this process. */
    public long batches() {
        return batches.sum();
    }

    /** Rows of them. */
    public long rows() {
        return rows.sum();
    }

    /** Bytes of their bodies. */
    public long bytes() {
        return bytes.sum();
    }

    /** Requests of this process that delivered nothing. */
    public long failures() {
        return failures.sum();
    }

    /** Batches that became dead letters in this process. */
    public long deadLetters() {
        return dead.sum();
    }

    DeliveryStore store() {
        return store;
    }

    JobService jobs() {
        return jobs;
    }

    /** What was asked for. */
    DeliveryRequest request(Delivery delivery) {
        return parser.parseDelivery(delivery.request().getBytes(StandardCharsets.UTF_8));
    }

    Sender sender() {
        return sender;
    }

    Breakers breakers() {
        return breakers;
    }

    PullLinks links() {
        return links;
    }

    Captures captures() {
        return captures;
    }

    /** Whether the service stops. */
    boolean isClosing() {
        return closing;
    }

    DeliverySettings settings() {
        return settings;
    }

    Clock clock() {
        return clock;
    }

    Executor waiting() {
        return waiting;
    }

    Recorder recorder() {
        return recorder;
    }

    void delivered(long batchRows, long bodyBytes) {
        batches.increment();
        rows.add(batchRows);
        bytes.add(bodyBytes);
    }

    void failed() {
        failures.increment();
    }

    void died() {
        dead.increment();
    }

    /** Gives back what is not sent; waits a while for that. */
    @Override
    public void close() {
        closing = true;
        List<DeliveryRun> runs = List.copyOf(running.values());
        runs.forEach(DeliveryRun::giveBack);
        try {
            CompletableFuture.allOf(
                            runs.stream().map(DeliveryRun::ended).toArray(CompletableFuture[]::new))
                    .get(LONGEST_STOP.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException e) {
            LOG.warn("some deliveries are not given back; their lease will end", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        turns.close();
        recorder.close();
    }
}
