package io.spillway.rows;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SegmentedLruTest {

    private final SegmentedLru<Integer, Item> lru = new SegmentedLru<>(100);
    private final List<Integer> closed = new ArrayList<>();

    private final class Item implements SegmentedLru.Value {

        private final int number;

        Item(int number) {
            this.number = number;
        }

        @Override
        public long bytes() {
            return 10;
        }

        @Override
        public void close() {
            closed.add(number);
        }
    }

    private void add(int number) {
        lru.makeRoom(10);
        lru.put(number, new Item(number));
    }

    @Test
    void theOldestGoesFirst() {
        for (int i = 0; i < 15; i++) {
            add(i);
        }
        assertThat(closed).containsExactly(0, 1, 2, 3, 4);
        assertThat(lru.bytes()).isEqualTo(100);
        assertThat(lru.find(4)).isNull();
        assertThat(lru.find(5)).isNotNull();
    }

    @Test
    void whatHasBeenFoundOutlivesWhatHasNot() {
        add(1);
        add(2);
        assertThat(lru.find(1)).isNotNull();
        for (int i = 10; i < 1_000; i++) {
            add(i);
        }
        assertThat(lru.has(1)).isTrue();
        assertThat(lru.has(2)).isFalse();
        assertThat(lru.bytes()).isEqualTo(100);
    }

    @Test
    void whatHasBeenFoundTakesNoMoreThanItsPart() {
        for (int i = 0; i < 10; i++) {
            add(i);
            assertThat(lru.find(i)).isNotNull();
        }
        add(10);
        add(11);
        assertThat(closed).containsExactly(0, 1);
        assertThat(lru.has(9)).isTrue();
    }

    @Test
    void eachIsClosedOnce() {
        add(1);
        add(1);
        add(2);
        assertThat(lru.find(2)).isNotNull();
        lru.clear();
        assertThat(closed).containsExactlyInAnyOrder(1, 1, 2);
        assertThat(lru.bytes()).isZero();
    }
}
