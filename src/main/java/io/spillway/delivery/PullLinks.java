package io.spillway.delivery;

import io.spillway.cursor.BatchLink;
import io.spillway.cursor.LinkToken;
import io.spillway.delivery.body.Links;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.job.Job;
import io.spillway.job.JobService;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Links that stand for rows in the bodies of deliveries: whoever has one may read the batch until
 * that is settled, and for a while after. They are the same on every attempt, for as long as the
 * newest key is the same.
 */
public final class PullLinks {

    private static final String PATH = "/v1/links/";

    private final LinkToken tokens;
    private final DeliveryStore store;
    private final JobService jobs;
    private final DeliverySettings settings;
    private final Clock clock;

    public PullLinks(
            LinkToken tokens,
            DeliveryStore store,
            JobService jobs,
            DeliverySettings settings,
            Clock clock) {
        this.tokens = tokens;
        this.store = store;
        this.jobs = jobs;
        this.settings = settings;
        this.clock = clock;
    }

    /** Rows of a job that a link leads to. */
    public record Linked(Job job, long firstRow, long rows) {}

    /**
     * Where a link leads.
     *
     * @throws SpillwayException {@code UNKNOWN_LINK} if that is nowhere, or not any more
     */
    public Linked follow(String token) {
        BatchLink link = tokens.decode(token);
        Delivery delivery = store.find(link.delivery()).orElseThrow(PullLinks::unknown);
        Instant settled = settledAt(delivery, link);
        if (settled != null && !settled.plus(settings.linkGrace()).isAfter(clock.instant())) {
            throw unknown();
        }
        return new Linked(
                jobs.toRead(delivery.owner(), delivery.job()), link.firstRow(), link.rows());
    }

    private static SpillwayException unknown() {
        return new SpillwayException(
                ErrorCode.UNKNOWN_LINK, "The batch is dealt with, and its link has ended");
    }

    /** When the batch was settled; null if it is not. */
    private @Nullable Instant settledAt(Delivery delivery, BatchLink link) {
        Optional<StoredBatch> batch = store.batch(delivery.id(), link.firstRow());
        if (batch.isPresent() && batch.get().rows() == link.rows()) {
            return switch (batch.get().state()) {
                case WAITING -> delivery.endedAt();
                case DEAD, DELIVERED -> batch.get().changedAt();
            };
        }
        Optional<DeliveryAttempt> last = store.lastAttempt(delivery.id(), link.firstRow());
        if (last.isPresent() && last.get().rows() == link.rows()) {
            return last.get().startedAt().plus(last.get().latency());
        }
        return link.firstRow() < delivery.progress().committedRow()
                ? Instant.EPOCH
                : delivery.endedAt();
    }

    /**
     * The links of one delivery. Asks for the keys now, so that no link has to wait for them.
     *
     * @return null if there are none, since nobody knows what they begin with
     */
    @Nullable Links of(String delivery) {
        String base = settings.publicUrl();
        if (base == null) {
            return null;
        }
        var _ = tokens.encode(new BatchLink(delivery, 0, 0));
        String start = base.replaceAll("/+$", "") + PATH;
        return new Links() {
            @Override
            public String of(long firstRow, long rows) {
                return start + tokens.encode(new BatchLink(delivery, firstRow, rows));
            }

            @Override
            public int maxBytes() {
                return start.length() + LinkToken.MAX_CHARACTERS;
            }
        };
    }
}
