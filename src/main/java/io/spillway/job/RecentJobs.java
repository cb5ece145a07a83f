package io.spillway.job;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Jobs that were made here just now: who makes one usually reads it next, and need not have it read
 * back from the store. Holds the last ones, as many as fit in a fixed size. Thread-safe.
 */
final class RecentJobs {

    private static final int MOST = 256;
    private static final long MOST_CHARACTERS = 8L << 20;

    private final Map<String, Job> jobs = new LinkedHashMap<>();
    private long characters;

    synchronized void add(Job job) {
        if (size(job) > MOST_CHARACTERS) {
            return;
        }
        remove(job.id());
        jobs.put(job.id(), job);
        characters += size(job);
        for (Iterator<Job> eldest = jobs.values().iterator();
                jobs.size() > MOST || characters > MOST_CHARACTERS; ) {
            characters -= size(eldest.next());
            eldest.remove();
        }
    }

    synchronized @Nullable Job find(String id) {
        return jobs.get(id);
    }

    synchronized void remove(String id) {
        Job removed = jobs.remove(id);
        if (removed != null) {
            characters -= size(removed);
        }
    }

    /** Texts, and a guess of what the plan takes: it is about as large as its text. */
    private static long size(Job job) {
        return (long) job.request().length()
                + job.logicalPlan().length()
                + 2L * job.optimizedPlan().length()
                + job.plan().scans().stream().mapToLong(scan -> 500L * scan.files().size()).sum();
    }
}
