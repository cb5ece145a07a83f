package io.spillway.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** What a ledger keeps, in whatever order batches are settled, and whoever goes on with it. */
class LedgerProperties {

    private static final Instant NOW = Instant.EPOCH;
    private static final DeliveryLease LEASE = new DeliveryLease("d", 1);

    /** What a store would have by now. */
    private final TreeMap<Long, StoredBatch> stored = new TreeMap<>();

    @Property(tries = 200)
    void whatIsKeptIsWhatIsSettledBehindThePrefix(
            @ForAll @IntRange(min = 1, max = 60) int batches, @ForAll long seed) {
        stored.clear();
        Random random = new Random(seed);
        List<long[]> cuts = new ArrayList<>();
        long row = 0;
        for (int i = 0; i < batches; i++) {
            long end = row + 1 + random.nextInt(5);
            cuts.add(new long[] {row, end});
            row = end;
        }
        long total = row;
        List<long[]> order = new ArrayList<>(cuts);
        Collections.shuffle(order, random);
        boolean[] settled = new boolean[(int) total];
        Ledger ledger = new Ledger(0, List.of());
        for (long[] cut : order) {
            Changes changes = new Changes(LEASE);
            if (random.nextInt(4) == 0) {
                StoredBatch letter =
                        new StoredBatch(
                                cut[0],
                                cut[1] - cut[0],
                                StoredBatch.State.DEAD,
                                0,
                                0,
                                null,
                                null,
                                NOW);
                changes.died(letter);
                ledger.dead(cut[0], cut[1], changes);
            } else {
                ledger.delivered(cut[0], cut[1], changes, NOW);
            }
            for (long r = cut[0]; r < cut[1]; r++) {
                settled[(int) r] = true;
            }
            changes.removed().forEach(stored::remove);
            changes.kept().forEach(batch -> stored.put(batch.firstRow(), batch));
            check(ledger, settled);
            if (random.nextInt(5) == 0) {
                ledger = new Ledger(ledger.committed(), behind(ledger.committed()));
            }
        }
        assertThat(ledger.committed()).isEqualTo(total);
        assertThat(stored.values()).allMatch(b -> b.state() == StoredBatch.State.DEAD);
    }

    private List<StoredBatch> behind(long committed) {
        return List.copyOf(stored.tailMap(committed).values());
    }

    private void check(Ledger ledger, boolean[] settled) {
        int prefix = 0;
        while (prefix < settled.length && settled[prefix]) {
            prefix++;
        }
        assertThat(ledger.committed()).isEqualTo(prefix);
        boolean[] kept = new boolean[settled.length];
        long lastDelivered = -1;
        for (StoredBatch batch : stored.values()) {
            if (batch.state() == StoredBatch.State.DELIVERED) {
                assertThat(batch.firstRow()).isGreaterThan(prefix).isNotEqualTo(lastDelivered);
                lastDelivered = batch.end();
            }
            for (long r = batch.firstRow(); r < batch.end(); r++) {
                assertThat(kept[(int) r]).isFalse();
                kept[(int) r] = true;
            }
        }
        for (int r = prefix; r < settled.length; r++) {
            assertThat(kept[r]).isEqualTo(settled[r]);
        }
    }
}
