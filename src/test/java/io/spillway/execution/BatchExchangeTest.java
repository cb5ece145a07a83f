package io.spillway.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spillway.batch.Poll;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class BatchExchangeTest {

    /** An item that counts its closings. */
    private record Item(int value, AtomicInteger closed) implements AutoCloseable {

        Item(int value) {
            this(value, new AtomicInteger());
        }

        @Override
        public void close() {
            closed.incrementAndGet();
        }
    }

    private final BatchExchange<Item> exchange = new BatchExchange<>(2, 10, item -> 4);

    private BatchExchange<Item>.Slot open() {
        return Objects.requireNonNull(exchange.open());
    }

    private int taken() {
        return exchange.poll() instanceof Poll.Output<Item>(Item item) ? item.value() : -1;
    }

    @Test
    void itemsComeInTheOrderOfTheSlotsWhateverTheOrderOfThePuts() {
        var first = open();
        var second = open();
        second.put(new Item(3));
        second.finish();
        assertThat(exchange.poll()).isInstanceOf(Poll.Blocked.class);
        first.put(new Item(1));
        first.put(new Item(2));
        first.finish();
        exchange.complete();

        assertThat(List.of(taken(), taken(), taken())).containsExactly(1, 2, 3);
        assertThat(exchange.poll()).isInstanceOf(Poll.Finished.class);
        assertThat(exchange.poll()).isInstanceOf(Poll.Finished.class);
    }

    @Test
    void aFullSlotStopsItsProducerUntilHalfIsTaken() {
        var slot = open();
        slot.put(new Item(1));
        slot.put(new Item(2));
        assertThat(slot.awaitSpace()).isNull();
        slot.put(new Item(3));
        CompletableFuture<?> space = slot.awaitSpace();
        assertThat(space).isNotNull().isNotDone();

        taken();
        assertThat(space).isNotDone();
        taken();
        assertThat(space).isDone();
        assertThat(slot.awaitSpace()).isNull();
    }

    @Test
    void noMoreSlotsOpenThanMayBeAndAnEndedOneMakesRoom() {
        var first = open();
        open();
        assertThat(exchange.open()).isNull();
        CompletableFuture<?> room = exchange.awaitRoom();
        assertThat(room).isNotDone();

        first.finish();
        assertThat(exchange.poll()).isInstanceOf(Poll.Blocked.class);
        assertThat(room).isDone();
        assertThat(exchange.open()).isNotNull();
    }

    @Test
    void whoWaitsForASlotGoesOnWhenHalfOfThemAreFree() {
        BatchExchange<Item> wide = new BatchExchange<>(4, 10, item -> 4);
        List<BatchExchange<Item>.Slot> slots = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            slots.add(Objects.requireNonNull(wide.open()));
        }
        CompletableFuture<?> room = wide.awaitRoom();

        slots.get(0).finish();
        assertThat(wide.poll()).isInstanceOf(Poll.Blocked.class);
        assertThat(room).isNotDone();
        assertThat(wide.awaitRoom()).as("whoever asks now").isDone();

        slots.get(1).finish();
        assertThat(wide.poll()).isInstanceOf(Poll.Blocked.class);
        assertThat(room).isDone();
    }

    @Test
    void theConsumerIsWokenByTheHeadSlotOnly() {
        var first = open();
        var second = open();
        assertThat(exchange.poll())
                .isInstanceOfSatisfying(
                        Poll.Blocked.class,
                        blocked -> {
                            second.put(new Item(2));
                            assertThat(blocked.until().isDone()).isFalse();
                            first.put(new Item(1));
                            assertThat(blocked.until().isDone()).isTrue();
                        });
    }

    @Test
    void aFailureComesAfterTheItemsBeforeIt() {
        var slot = open();
        slot.put(new Item(1));
        slot.fail(new SpillwayException(ErrorCode.FILE_CORRUPT, "broken").with("file", "f"));
        slot.finish();

        assertThat(taken()).isEqualTo(1);
        assertThatThrownBy(exchange::poll)
                .isInstanceOfSatisfying(
                        SpillwayException.class,
                        e -> {
                            assertThat(e.code()).isEqualTo(ErrorCode.FILE_CORRUPT);
                            assertThat(e.context()).containsEntry("file", "f");
                        });
    }

    @Test
    void anExchangeThatFailedDoesNotFinish() {
        var slot = open();
        slot.put(new Item(1));
        slot.finish();
        exchange.fail(BatchExchange.abandoned());

        assertThat(taken()).isEqualTo(1);
        assertThatThrownBy(exchange::poll).isInstanceOf(SpillwayException.class);
    }

    @Test
    void closingClosesWhatWaitsAndWhatComesLater() {
        var slot = open();
        List<Item> items = new ArrayList<>(List.of(new Item(1), new Item(2), new Item(3)));
        items.forEach(slot::put);
        CompletableFuture<?> space = slot.awaitSpace();

        exchange.close();
        exchange.close();
        Item late = new Item(4);
        slot.put(late);
        items.add(late);

        assertThat(items).allSatisfy(item -> assertThat(item.closed()).hasValue(1));
        assertThat(space).isDone();
        assertThat(slot.awaitSpace()).isNull();
        assertThat(exchange.open()).isNull();
        assertThat(exchange.awaitRoom()).isDone();
        assertThat(exchange.poll()).isInstanceOf(Poll.Finished.class);
    }
}
