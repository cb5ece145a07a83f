package io.spillway.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spillway.error.SpillwayException;
import io.spillway.memory.MemoryPool;
import io.spillway.memory.MemoryReservation;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BuildMemoryTest {

    private static final long ITEM = 1_000;

    /** A lane has three items; the first one has room for blocks that are written, too. */
    private static final long BASE = 4_000;

    /** Sixteen times what four lanes take. */
    private static final long LIMIT = 16 * 13_000;

    private final MemoryPool pool = MemoryPool.root(LIMIT);
    private final BuildMemory memory = new BuildMemory(pool, ITEM, 1_000, 8);

    @AfterEach
    void nothingIsLeft() {
        memory.close();
        memory.close();
        assertThat(pool.admitted()).isZero();
        pool.close();
    }

    private void put(int items) {
        for (int i = 0; i < items; i++) {
            assertThat(memory.hasRoom()).isTrue();
            memory.put(10, ITEM);
        }
    }

    @Test
    void asksForOneLaneFirstAndForMoreAsRowsCome() {
        assertThat(memory.lanes()).isEqualTo(4);
        assertThat(memory.awaited()).isNull();
        assertThat(pool.admitted()).isEqualTo(BASE);
        put(3);
        assertThat(pool.admitted()).isEqualTo(BASE);
        put(9);
        assertThat(pool.admitted()).isEqualTo(BASE + 9_000);
        assertThat(memory.hasRoom()).as("as many items as four lanes have").isFalse();
        memory.taken(10);
        assertThat(memory.hasRoom()).isTrue();
    }

    @Test
    void goesOnWithOneLaneWhereThereIsNoRoom() {
        assertThat(memory.awaited()).isNull();
        try (MemoryReservation _ = pool.admit(LIMIT / 2 - BASE).join()) {
            put(3);
            assertThat(memory.hasRoom()).isFalse();
            memory.taken(10);
            put(1);
        }
    }

    /** Else what makes the rows could wait for ever for what their blocks would give back. */
    @Test
    void givesWayToThoseWhoMakeTheRows() {
        assertThat(memory.awaited()).isNull();
        put(6);
        CompletableFuture<?> revoked = memory.revoked();
        assertThat(revoked).isNotNull().isNotDone();
        CompletableFuture<MemoryReservation> scan = pool.admit(LIMIT / 2 - BASE);
        assertThat(scan).isNotDone();
        assertThat(revoked).isDone();
        assertThat(memory.revoked()).as("blocks are waited for").isNull();
        assertThat(memory.hasRoom()).isFalse();
        memory.taken(25);
        assertThat(scan).as("four items are still under way").isNotDone();
        memory.taken(5);
        assertThat(scan).isDone();
        assertThat(memory.revoked()).isNotNull().isNotDone();
        scan.join().close();
    }

    @Test
    void givesBackAtOnceWhatNoItemNeeds() {
        assertThat(memory.awaited()).isNull();
        put(6);
        memory.taken(60);
        CompletableFuture<MemoryReservation> scan = pool.admit(LIMIT / 2 - BASE);
        assertThat(scan).isNotDone();
        assertThat(memory.hasRoom()).isTrue();
        assertThat(scan).isDone();
        scan.join().close();
    }

    @Test
    void rowsThatAreLargerThanALaneGoAlone() {
        assertThat(memory.awaited()).isNull();
        assertThat(memory.hasRoom()).isTrue();
        memory.put(10, LIMIT);
        assertThat(memory.hasRoom()).isFalse();
        memory.taken(10);
        assertThat(memory.hasRoom()).isTrue();
    }

    @Test
    void waitsForItsFirstLaneAndIsRefusedWhereItNeverComes() {
        MemoryReservation other = pool.admit(LIMIT / 2).join();
        assertThat(memory.awaited()).isNotNull().isNotDone();
        other.close();
        assertThat(memory.awaited()).isNull();
        MemoryReservation kept = pool.admitStanding(LIMIT / 2 - BASE).join();
        try (BuildMemory late = new BuildMemory(pool, ITEM, 1_000, 1)) {
            assertThatThrownBy(late::awaited).isInstanceOf(SpillwayException.class);
        }
        kept.close();
    }
}
