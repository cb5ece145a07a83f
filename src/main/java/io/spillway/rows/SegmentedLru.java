package io.spillway.rows;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Values by key, as many as fit a bound, each of which it owns.
 *
 * <p>What goes first is decided by a segmented LRU (Karedla, Love and Wherry, "Caching strategies
 * to improve disk system performance", IEEE Computer 27(3), 1994): a value is on probation until it
 * is found for the first time, and what has been found has three quarters of the room for itself.
 * So one fast reader, whose rows nobody else comes to in time, does not drive out those that many
 * others are coming to.
 *
 * <p>One thread at a time.
 */
final class SegmentedLru<K, V extends SegmentedLru.Value> {

    /** A value has at most one of so many parts of the room; proven ones have all but one. */
    private static final int PARTS = 4;

    private final long limit;
    private final LinkedHashMap<K, V> probation = new LinkedHashMap<>();
    private final LinkedHashMap<K, V> proven = new LinkedHashMap<>();
    private long provenBytes;
    private long bytes;

    /** What is kept. */
    interface Value extends AutoCloseable {

        /** Bytes that it takes; always the same. */
        long bytes();

        /** It is kept no longer. */
        @Override
        void close();
    }

    /**
     * Empty.
     *
     * @param limit bytes that all values may have together
     */
    SegmentedLru(long limit) {
        this.limit = limit;
    }

    long bytes() {
        return bytes;
    }

    /** The largest value that it takes. */
    long mostBytes() {
        return limit / PARTS;
    }

    /** The value of a key, which has proven useful by that; stays here. */
    @Nullable V find(K key) {
        V value = proven.remove(key);
        if (value == null) {
            value = probation.remove(key);
            if (value == null) {
                return null;
            }
            provenBytes += value.bytes();
        }
        proven.put(key, value);
        while (provenBytes > limit / PARTS * (PARTS - 1) && proven.size() > 1) {
            Map.Entry<K, V> oldest = proven.pollFirstEntry();
            provenBytes -= oldest.getValue().bytes();
            probation.put(oldest.getKey(), oldest.getValue());
        }
        return value;
    }

    boolean has(K key) {
        return proven.containsKey(key) || probation.containsKey(key);
    }

    /** Lets values go until there is room for so many bytes, at most {@link #mostBytes}. */
    void makeRoom(long size) {
        while (bytes > limit - size) {
            K oldest =
                    probation.isEmpty()
                            ? proven.firstEntry().getKey()
                            : probation.firstEntry().getKey();
            remove(oldest);
        }
    }

    /** Takes over a value for which there is room, in place of one that has the same key. */
    void put(K key, V value) {
        remove(key);
        probation.put(key, value);
        bytes += value.bytes();
    }

    void remove(K key) {
        V value = proven.remove(key);
        if (value != null) {
            provenBytes -= value.bytes();
        } else {
            value = probation.remove(key);
        }
        if (value != null) {
            bytes -= value.bytes();
            value.close();
        }
    }

    /** Lets all go. */
    void clear() {
        proven.values().forEach(Value::close);
        probation.values().forEach(Value::close);
        proven.clear();
        probation.clear();
        provenBytes = 0;
        bytes = 0;
    }
}
