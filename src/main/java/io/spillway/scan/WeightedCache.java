package io.spillway.scan;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is known of files in one state each; least recently used first out, bounded by its weight.
 * Thread-safe. Two threads that miss the same thing both find it out.
 *
 * @param <K> what identifies a file's state, and how it is looked at
 * @param <V> what is known
 */
public final class WeightedCache<K, V> {

    private record Entry<V>(V value, long weight) {}

    private final long capacity;
    private final LinkedHashMap<K, Entry<V>> entries = new LinkedHashMap<>(16, 0.75f, true);
    private long weight;

    /**
     * @param capacity bytes of heap; 0 keeps nothing
     */
    public WeightedCache(long capacity) {
        this.capacity = capacity;
    }

    /** What is known, or null. */
    public synchronized @Nullable V get(K key) {
        Entry<V> entry = entries.get(key);
        return entry == null ? null : entry.value;
    }

    /**
     * Keeps something unless it alone is larger than the whole cache.
     *
     * @param bytes of heap that it takes, more or less
     */
    public synchronized void put(K key, V value, long bytes) {
        if (bytes > capacity) {
            return;
        }
        Entry<V> before = entries.put(key, new Entry<>(value, bytes));
        weight += bytes - (before == null ? 0 : before.weight);
        Iterator<Map.Entry<K, Entry<V>>> oldest = entries.entrySet().iterator();
        while (weight > capacity) {
            weight -= oldest.next().getValue().weight;
            oldest.remove();
        }
    }
}
