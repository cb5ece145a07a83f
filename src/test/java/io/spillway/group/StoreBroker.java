package io.spillway.group;

import io.spillway.cursor.LeaseRef;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Speaks to a store, of a group whose job's rows are counted. */
record StoreBroker(GroupStore store, Group group, Cutter cutter) implements Broker {

    private static final long MANY = 1_000;

    @Override
    public Optional<List<Held>> claim(String reader, int batches, Duration life) {
        GroupStore.Claim claim = new GroupStore.Claim(reader, batches, life);
        List<Lease> leases = new ArrayList<>(store.takeFree(group, claim));
        if (leases.size() < batches) {
            leases.addAll(store.takeNew(group, claim.less(leases.size()), cutter, MANY));
        }
        if (leases.isEmpty() && isDone()) {
            return Optional.empty();
        }
        return Optional.of(
                leases.stream()
                        .map(
                                lease ->
                                        new Held(
                                                lease.ref().firstRow(),
                                                lease.rowCount(),
                                                lease.ref().epoch(),
                                                lease.ref()))
                        .toList());
    }

    private boolean isDone() {
        GroupProgress progress = store.progress(group.id());
        return progress != null && progress.group().isDone();
    }

    @Override
    public boolean renew(Held held, Duration life) {
        return store.renew(ref(held), life).isPresent();
    }

    @Override
    public boolean commit(Held held) {
        return store.commit(ref(held));
    }

    @Override
    public boolean release(Held held) {
        return store.release(ref(held));
    }

    private static LeaseRef ref(Held held) {
        return (LeaseRef) held.token();
    }
}
