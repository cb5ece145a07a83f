package io.spillway.delivery.http;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;

/**
 * An exchange from its start to its end. It ends once: by the answer, by a failure, by its time
 * limit or by being given up; and it says so when nobody reads the body any more.
 */
final class Attempt implements Exchange {

    private final CompletableFuture<Answer> answer = new CompletableFuture<>();
    private final Disposable.Swap running = Disposables.swap();
    private final AtomicBoolean ended = new AtomicBoolean();
    private final long startNanos = System.nanoTime();
    private final Loan loan = new Loan();

    /** Of the body. */
    Loan loan() {
        return loan;
    }

    boolean ended() {
        return ended.get();
    }

    /** Since the start. */
    Duration latency() {
        return Duration.ofNanos(System.nanoTime() - startNanos);
    }

    /**
     * Runs it.
     *
     * @param limit from the start on, for all of it
     */
    void start(Mono<Answer> exchange, Duration limit) {
        running.update(
                exchange.timeout(limit)
                        .onErrorResume(e -> Mono.just(Failures.of(e, latency())))
                        .subscribe(this::end));
    }

    @Override
    public CompletableFuture<Answer> answer() {
        return answer;
    }

    @Override
    public void abort() {
        running.dispose();
        end(Failures.of(new RequestBody.OverException(), latency()));
    }

    /**
     * Not here: this is a thread of the network, and who waits for the answer may take his time.
     */
    private void tell(Answer result) {
        Thread.ofVirtual().name("delivery-answer").start(() -> answer.complete(result));
    }

    private void end(Answer result) {
        if (ended.compareAndSet(false, true)) {
            loan.end();
            var _ = loan.returned().thenRun(() -> tell(result));
        }
    }
}
