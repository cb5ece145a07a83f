package io.spillway.rows;

import io.spillway.batch.Poll;
import io.spillway.batch.PollStream;
import io.spillway.execution.Failures;
import io.spillway.plan.physical.PhysicalPlan;
import io.spillway.spool.Spool;
import io.spillway.spool.SpoolBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Gets the spools of a plan, one after the other, and counts the rows above them then.
 *
 * <pre>
 *              found
 *   ASKING ───────────▶ next spool, or all there ──▶ COUNTING
 *    ▲  ▲ │ mine to build                  ▲
 *    │  │ └──────────▶ BUILDING ───────────┘ built
 *    │  │                 │ another builder took over
 *    │  └─────────────────┘
 *    └── a while later, if another process builds it
 * </pre>
 */
final class SpoolCount implements PollStream<CountProgress> {

    /** How long after another process is asked whether it has built a spool. */
    private static final long ASK_AGAIN_MILLIS = 250;

    /** What there is of a spool. */
    private sealed interface Answer {

        record Found(Spool spool) implements Answer {}

        record Mine(SpoolBuilder builder) implements Answer {}

        /** Somebody else's. */
        record Theirs() implements Answer {}
    }

    private final SpooledPlan plan;
    private final long upTo;
    private final ReadContext context;
    private final List<Spool> found = new ArrayList<>();
    private @Nullable CompletableFuture<Answer> asking;
    private @Nullable SpoolBuild build;
    private @Nullable PollStream<CountProgress> counting;
    private boolean closed;

    SpoolCount(SpooledPlan plan, long upTo, ReadContext context) {
        this.plan = plan;
        this.upTo = upTo;
        this.context = context;
    }

    @Override
    public Poll<CountProgress> poll() {
        if (closed) {
            return Poll.finished();
        }
        if (counting != null) {
            return counting.poll();
        }
        SpoolBuild building = build;
        if (building != null) {
            return poll(building);
        }
        RowSource source = plan.source();
        if (source != null) {
            counting = source.count(upTo, context);
            return Poll.again();
        }
        CompletableFuture<Answer> answer = asking;
        if (answer == null) {
            answer = ask(0);
            asking = answer;
        }
        return answer.isDone() ? answered(answer) : Poll.blocked(answer);
    }

    private CompletableFuture<Answer> ask(long delayMillis) {
        int number = found.size();
        return CompletableFuture.supplyAsync(
                () -> lookUp(number),
                CompletableFuture.delayedExecutor(
                        delayMillis, TimeUnit.MILLISECONDS, context.waiting()));
    }

    /** Waits for the store. */
    private Answer lookUp(int number) {
        plan.discardLost();
        PhysicalPlan step = plan.steps().get(number);
        Optional<Spool> spool = plan.spools().find(number, step.schema());
        if (spool.isPresent()) {
            return new Answer.Found(spool.get());
        }
        return plan.spools()
                .build(number, step.schema())
                .<Answer>map(Answer.Mine::new)
                .orElseGet(Answer.Theirs::new);
    }

    private Poll<CountProgress> answered(CompletableFuture<Answer> answer) {
        asking = null;
        try {
            switch (answer.join()) {
                case Answer.Found(Spool spool) -> found(spool);
                case Answer.Mine(SpoolBuilder builder) ->
                        build =
                                SpoolBuild.of(
                                        plan.steps().get(found.size()),
                                        builder,
                                        context,
                                        plan.progress());
                case Answer.Theirs() -> asking = ask(ASK_AGAIN_MILLIS);
            }
        } catch (CompletionException e) {
            throw Failures.asSpillway(e);
        }
        return Poll.again();
    }

    private void found(Spool spool) {
        found.add(spool);
        if (found.size() == plan.steps().size()) {
            plan.complete(found);
        }
    }

    private Poll<CountProgress> poll(SpoolBuild building) {
        return switch (building.poll()) {
            case Poll.Output<Spool>(Spool spool) -> {
                found(spool);
                yield Poll.again();
            }
            case Poll.Blocked<Spool>(var until) -> Poll.blocked(until);
            case Poll.Finished<Spool>() -> {
                building.close();
                build = null;
                yield Poll.again();
            }
        };
    }

    @Override
    public void release() {
        if (counting != null) {
            counting.release();
        }
    }

    @Override
    public void close() {
        closed = true;
        CompletableFuture<Answer> open = asking;
        asking = null;
        if (open != null) {
            var _ =
                    open.thenAccept(
                            answer -> {
                                if (answer instanceof Answer.Mine(SpoolBuilder builder)) {
                                    builder.close();
                                }
                            });
        }
        if (build != null) {
            build.close();
        }
        if (counting != null) {
            counting.close();
        }
    }
}
