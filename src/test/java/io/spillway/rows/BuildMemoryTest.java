package io.spillway.rows;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.memory.MemoryPool;
import io.spillway.memory.MemoryReservation;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BuildMemoryTest {

    private static final long ITEM = 1_000;

    /** Sixteen times what four lanes of three items take. */
    private static final long LIMIT = 16 * 12_000;

    private final MemoryPool pool = MemoryPool.root(LIMIT);
    private final BuildMemory memory = new BuildMemory(pool, ITEM, 8);

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
    void growsWithTheRowsThatAreUnderWay() {
        assertThat(memory.lanes()).isEqualTo(4);
        assertThat(pool.admitted()).isZero();
        put(3);
        assertThat(pool.admitted()).isEqualTo(3_000);
        put(9);
        assertThat(pool.admitted()).isEqualTo(12_000);
        assertThat(memory.hasRoom()).as("as many items as four lanes have").isFalse();
        memory.taken(9);
        assertThat(memory.hasRoom()).as("a row of the first is missing").isFalse();
        memory.taken(1);
        assertThat(memory.hasRoom()).isTrue();
    }

    @Test
    void goesOnBatchByBatchWhereThereIsNoRoom() {
        try (MemoryReservation _ = pool.admit(LIMIT / 2).join()) {
            put(1);
            assertThat(memory.hasRoom()).isFalse();
            memory.taken(10);
            put(1);
            assertThat(memory.revoked()).isNotNull().isNotDone();
        }
    }

    /** Else what makes the rows could wait for ever for what their blocks would give back. */
    @Test
    void givesWayToThoseWhoMakeTheRows() {
        put(3);
        CompletableFuture<?> revoked = memory.revoked();
        assertThat(revoked).isNotNull().isNotDone();
        CompletableFuture<MemoryReservation> scan = pool.admit(LIMIT / 2);
        assertThat(scan).isNotDone();
        assertThat(revoked).isDone();
        assertThat(memory.revoked()).as("blocks are waited for").isNull();
        assertThat(memory.hasRoom()).isFalse();
        memory.taken(15);
        assertThat(scan).as("two items are still under way").isNotDone();
        memory.taken(5);
        assertThat(scan).isDone();
        assertThat(memory.revoked()).isNotNull().isNotDone();
        scan.join().close();
    }

    @Test
    void givesBackAtOnceWhatNoItemNeeds() {
        put(6);
        memory.taken(60);
        CompletableFuture<MemoryReservation> scan = pool.admit(LIMIT / 2);
        assertThat(scan).isNotDone();
        assertThat(memory.hasRoom()).isTrue();
        assertThat(scan).isDone();
        scan.join().close();
    }

    @Test
    void rowsThatAreLargerThanAllRoomGoAlone() {
        assertThat(memory.hasRoom()).isTrue();
        memory.put(10, LIMIT);
        assertThat(memory.hasRoom()).isFalse();
        memory.taken(10);
        assertThat(memory.hasRoom()).isTrue();
    }
}
