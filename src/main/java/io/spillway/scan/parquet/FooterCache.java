package io.spillway.scan.parquet;

import io.spillway.storage.FileStatus;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Footers of files in one state each, least recently used first out, bounded by their weight.
 * Thread-safe. Two threads that miss the same footer both read it; they find the same.
 */
final class FooterCache {

    private final long capacity;
    private final LinkedHashMap<FileStatus, Footer> footers = new LinkedHashMap<>(16, 0.75f, true);
    private long weight;

    /**
     * @param capacity bytes of heap; 0 keeps nothing
     */
    FooterCache(long capacity) {
        this.capacity = capacity;
    }

    synchronized @Nullable Footer get(FileStatus file) {
        return footers.get(file);
    }

    /** Keeps a footer unless it alone is larger than the whole cache. */
    synchronized void put(FileStatus file, Footer footer) {
        if (footer.weight() > capacity) {
            return;
        }
        Footer before = footers.put(file, footer);
        weight += footer.weight() - (before == null ? 0 : before.weight());
        Iterator<Map.Entry<FileStatus, Footer>> oldest = footers.entrySet().iterator();
        while (weight > capacity) {
            weight -= oldest.next().getValue().weight();
            oldest.remove();
        }
    }
}
