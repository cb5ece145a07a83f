package io.spillway.delivery.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** A body's buffers are given back when the last view of them is released, and not before. */
class LoanTest {

    private static RequestBody body(Loan loan, boolean gzip) {
        List<ByteBuffer> parts = Posts.parts(Posts.text(300_000, 1), 4);
        return new RequestBody(Posts.post(parts), gzip, loan, Schedulers.immediate());
    }

    @Test
    void eachViewHoldsTheLoanUntilItIsReleased() {
        Loan loan = new Loan();
        List<ByteBuf> chunks = body(loan, false).chunks().toStream().toList();
        assertThat(chunks).hasSizeGreaterThan(4);

        loan.end();

        for (ByteBuf chunk : chunks) {
            ByteBuf slice = chunk.retainedSlice(0, 10);
            chunk.release();
            assertThat(loan.returned()).as("a slice is left").isNotDone();
            slice.release();
        }
        assertThat(loan.returned()).isDone();
    }

    @Test
    void viewsShareTheBuffersMemory() {
        for (ByteBuffer buffer :
                List.of(ByteBuffer.allocateDirect(3), ByteBuffer.wrap(new byte[3]))) {
            Loan loan = new Loan();
            ByteBuf view =
                    new RequestBody(
                                    Posts.post(List.of(buffer)),
                                    false,
                                    loan,
                                    Schedulers.immediate())
                            .chunks()
                            .toStream()
                            .toList()
                            .getFirst();

            buffer.put(0, "abc".getBytes(StandardCharsets.UTF_8));

            assertThat(view).isEqualTo(Unpooled.copiedBuffer("abc", StandardCharsets.UTF_8));
            view.release();
        }
    }

    @Test
    void nobodyReadsAfterItsEnd() {
        for (boolean gzip : new boolean[] {false, true}) {
            Loan loan = new Loan();
            loan.end();
            assertThat(loan.returned()).isDone();

            assertThatThrownBy(() -> body(loan, gzip).chunks().blockFirst())
                    .isInstanceOf(RequestBody.OverException.class);
        }
    }

    @Test
    void anAttemptTellsItsAnswerOnceTheBodyIsGivenBack() throws Exception {
        Attempt attempt = new Attempt();
        assertThat(attempt.loan().take()).isTrue();
        attempt.start(Mono.never(), Duration.ofMillis(1));

        assertThat(
                        attempt.answer()
                                .copy()
                                .completeOnTimeout(null, 100, TimeUnit.MILLISECONDS)
                                .get())
                .isNull();
        attempt.loan().giveBack();

        assertThat(attempt.answer().get(10, TimeUnit.SECONDS))
                .isInstanceOfSatisfying(
                        Answer.Failure.class,
                        failure -> assertThat(failure.kind()).isEqualTo(Answer.Kind.TIMEOUT));
    }

    @Test
    void anAttemptThatIsGivenUpBeforeItStartsDoesNothing() throws Exception {
        Attempt attempt = new Attempt();
        attempt.abort();
        attempt.start(Mono.error(new AssertionError("started")), Duration.ofSeconds(1));

        assertThat(attempt.answer().get(10, TimeUnit.SECONDS))
                .isInstanceOfSatisfying(
                        Answer.Failure.class,
                        failure -> assertThat(failure.kind()).isEqualTo(Answer.Kind.ABORTED));
    }
}
