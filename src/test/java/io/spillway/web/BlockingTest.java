package io.spillway.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;

class BlockingTest {

    /** An interrupt while a thread writes closes the job store's file for all others too. */
    @Test
    void workWhoseCallerLeavesIsNotInterrupted() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch ended = new CountDownLatch(1);
        AtomicBoolean interrupted = new AtomicBoolean();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Disposable caller =
                    new Blocking(threads)
                            .call(
                                    () -> {
                                        started.countDown();
                                        try {
                                            Thread.sleep(300);
                                        } catch (InterruptedException e) {
                                            interrupted.set(true);
                                        }
                                        ended.countDown();
                                        return "done";
                                    })
                            .subscribe();
            assertThat(started.await(5, TimeUnit.SECONDS)).isTrue();
            caller.dispose();
            assertThat(ended.await(5, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(interrupted).isFalse();
    }
}
