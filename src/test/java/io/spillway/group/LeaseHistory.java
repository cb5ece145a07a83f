package io.spillway.group;

import io.spillway.group.Broker.Held;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * All that workers saw of a group's leases, and whether that may be: each row in one batch, each
 * batch in one holder's hands an epoch, and committed by one of them, to whom alone that was said.
 * Thread-safe.
 */
final class LeaseHistory {

    /** What a worker saw. */
    enum Seen {
        CLAIMED,
        COMMITTED,
        /** A commit was sent, and its worker died before it learnt what became of it. */
        UNANSWERED,
        REFUSED,
        RELEASED
    }

    /**
     * One thing that a worker saw.
     *
     * @param begun when it asked
     * @param ended when it had the answer
     */
    private record Event(Seen seen, String worker, Held held, long begun, long ended) {}

    private final List<Event> events = new ArrayList<>();

    synchronized void add(Seen seen, String worker, Held held, long begun) {
        events.add(new Event(seen, worker, held, begun, System.nanoTime()));
    }

    synchronized long count(Seen seen) {
        return events.stream().filter(event -> event.seen() == seen).count();
    }

    /** What may not be, in sentences; none if all is well. */
    synchronized List<String> faults(long totalRows) {
        Map<Long, List<Event>> batches = new TreeMap<>();
        events.forEach(
                event ->
                        batches.computeIfAbsent(event.held().firstRow(), row -> new ArrayList<>())
                                .add(event));
        List<String> faults = new ArrayList<>();
        long next = 0;
        for (List<Event> batch : batches.values()) {
            Held first = batch.getFirst().held();
            if (first.firstRow() != next) {
                faults.add("behind row " + next + " follows " + first);
            }
            next = first.end();
            check(batch, faults);
        }
        if (next != totalRows) {
            faults.add("batches end at row " + next + " of " + totalRows);
        }
        return faults;
    }

    private static void check(List<Event> batch, List<String> faults) {
        Held first = batch.getFirst().held();
        Map<Long, String> holders = new HashMap<>();
        Set<Long> committed = new HashSet<>();
        Set<Long> perhaps = new HashSet<>();
        for (Event event : batch) {
            long epoch = event.held().epoch();
            if (event.held().rows() != first.rows()) {
                faults.add(event.held() + " was " + first);
            }
            switch (event.seen()) {
                case CLAIMED -> {
                    String other = holders.put(epoch, event.worker());
                    if (other != null) {
                        faults.add(event + " is " + other + "'s");
                    }
                }
                case COMMITTED -> committed.add(epoch);
                case UNANSWERED -> perhaps.add(epoch);
                case REFUSED, RELEASED -> {}
            }
        }
        if (committed.size() > 1) {
            faults.add(first + " was committed by the epochs " + committed);
        }
        if (committed.isEmpty() && perhaps.isEmpty()) {
            faults.add(first + " was committed by nobody");
        }
        for (Event commit : batch) {
            if (commit.seen() == Seen.COMMITTED) {
                batch.stream()
                        .filter(event -> isAfter(event, commit))
                        .forEach(event -> faults.add(event + " after " + commit));
            }
        }
    }

    /** What is committed is claimed no more, and refused to none but those who had it before. */
    private static boolean isAfter(Event event, Event commit) {
        return switch (event.seen()) {
            case CLAIMED -> event.begun() > commit.ended() || isNewer(event, commit);
            case COMMITTED, UNANSWERED, RELEASED -> false;
            case REFUSED -> event.held().epoch() >= commit.held().epoch();
        };
    }

    private static boolean isNewer(Event event, Event commit) {
        return event.held().epoch() > commit.held().epoch();
    }
}
