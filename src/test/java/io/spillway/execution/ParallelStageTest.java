package io.spillway.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spillway.batch.Poll;
import io.spillway.batch.PollStream;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ParallelStageTest {

    private final PartitionScheduler scheduler =
            new PartitionScheduler(3, Duration.ofSeconds(1), () -> false);

    @AfterEach
    void stop() {
        scheduler.close();
    }

    private record Item(int value) implements AutoCloseable {

        @Override
        public void close() {}
    }

    /** The numbers from 0 on. */
    private static PollStream<Item> numbers(int count) {
        return new PollStream<>() {

            private int next;

            @Override
            public Poll<Item> poll() {
                return next == count ? Poll.finished() : Poll.output(new Item(next++));
            }

            @Override
            public void close() {}
        };
    }

    /** Gives each number once more, but fails at one: before it has given anything, or while. */
    private static final class Echo implements Lane<Item, Item> {

        private final int failing;
        private final boolean atOnce;
        private Item item = new Item(-1);
        private int left;

        Echo(int failing, boolean atOnce) {
            this.failing = failing;
            this.atOnce = atOnce;
        }

        @Override
        public void begin(Item next) {
            item = next;
            if (atOnce) {
                failIfAsked();
            }
            left = 2;
        }

        private void failIfAsked() {
            if (item.value() == failing) {
                throw new SpillwayException(ErrorCode.MEMORY_LIMIT, "no memory for a number");
            }
        }

        @Override
        public boolean hasNext() {
            return left > 0;
        }

        @Override
        public Item next() {
            failIfAsked();
            left--;
            return item;
        }

        @Override
        public void idle() {}

        @Override
        public void close() {}
    }

    private List<Integer> drain(ParallelStage<Item, Item> stage) {
        List<Integer> values = new ArrayList<>();
        try (stage) {
            while (true) {
                switch (stage.poll()) {
                    case Poll.Output<Item>(Item number) -> values.add(number.value());
                    case Poll.Blocked<Item>(var until) ->
                            until.handle((_, _) -> true).orTimeout(10, TimeUnit.SECONDS).join();
                    case Poll.Finished<Item> _ -> {
                        return values;
                    }
                }
            }
        }
    }

    private ParallelStage<Item, Item> stage(int failing, boolean atOnce) {
        return new ParallelStage<>(
                numbers(100),
                () -> new Echo(failing, atOnce),
                number -> 1,
                1,
                scheduler.group(),
                3);
    }

    @Test
    void resultsComeInTheOrderOfTheItems() {
        assertThat(drain(stage(-1, false))).hasSize(200).isSorted();
    }

    /** Not that the work was stopped, which is what comes of it. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theReaderLearnsWhatStoppedALane(boolean atOnce) {
        assertThatThrownBy(() -> drain(stage(40, atOnce)))
                .isInstanceOfSatisfying(
                        SpillwayException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.MEMORY_LIMIT))
                .hasMessage("no memory for a number");
    }
}
