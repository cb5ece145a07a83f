package io.spillway.scan.parquet.footer;

import io.spillway.storage.FileStatus;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Footers of files in one state each, and all of files so small that they came with their footer;
 * least recently used first out, bounded by their weight. Thread-safe. Two threads that miss the
 * same footer both read it; they find the same.
 */
public final class FooterCache {

    private final long capacity;
    private final LinkedHashMap<FileStatus, FooterReader.Read> files =
            new LinkedHashMap<>(16, 0.75f, true);
    private long weight;

    /**
     * @param capacity bytes of heap; 0 keeps nothing
     */
    public FooterCache(long capacity) {
        this.capacity = capacity;
    }

    /** What was read of a file in that very state, or null. */
    public synchronized FooterReader.@Nullable Read get(FileStatus file) {
        return files.get(file);
    }

    /** Keeps what was read unless it alone is larger than the whole cache. */
    public synchronized void put(FileStatus file, FooterReader.Read read) {
        if (read.weight() > capacity) {
            return;
        }
        FooterReader.Read before = files.put(file, read);
        weight += read.weight() - (before == null ? 0 : before.weight());
        Iterator<Map.Entry<FileStatus, FooterReader.Read>> oldest = files.entrySet().iterator();
        while (weight > capacity) {
            weight -= oldest.next().getValue().weight();
            oldest.remove();
        }
    }
}
