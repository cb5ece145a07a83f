package io.spillway.operator.key;

import io.spillway.batch.OffHeap;
import io.spillway.memory.StateMemory;
import java.util.Arrays;
import java.util.Objects;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Numbers keys 0, 1, 2 … in the order in which they first appear.
 *
 * <pre>
 *   slots    hash, id + 1      open addressing, see {@link KeySlots}
 *   entries  key               by id; of 8 or 16 bytes,
 *            or its address    else where length and bytes are
 *   bytes    length, key       only keys that are not 8 or 16 bytes wide
 * </pre>
 *
 * <p>Memory is asked for a batch ahead, by {@link #reserve}; adding the keys then needs no more.
 * Not thread-safe, except that any number of threads may {@link #find} while nobody adds.
 */
public final class KeyTable implements AutoCloseable {

    /** What {@link #find} says of a key that is not there. */
    public static final int UNKNOWN = -1;

    /** The level of {@link KeyHash} that tables use; partitions use others. */
    public static final int HASH_LEVEL = 0;

    private final int width;
    private final StateMemory memory;
    private final KeySlots slots;
    private final KeyEntries entries;
    private final @Nullable KeyArena bytes;
    private int size;
    private long held;
    private boolean closed;

    /**
     * An empty table.
     *
     * @param width of the keys, as {@link KeyEncoder#width()} says
     * @param allocator for its memory
     * @param memory grown by what is allocated and shrunk by what is freed; stays the caller's
     */
    public KeyTable(int width, BufferAllocator allocator, StateMemory memory) {
        this.width = width;
        this.memory = memory;
        this.slots = new KeySlots(allocator);
        this.entries =
                new KeyEntries(allocator, width == 2 * Long.BYTES ? 2 * Long.BYTES : Long.BYTES);
        this.bytes =
                width == Long.BYTES || width == 2 * Long.BYTES ? null : new KeyArena(allocator);
    }

    /** Number of keys. */
    public int size() {
        return size;
    }

    /** Bytes that the table takes of its memory. */
    public long bytes() {
        return held;
    }

    /**
     * Makes room for all keys of a batch, should they all be new.
     *
     * @return false if the memory cannot grow so far; the table is as it was then
     */
    public boolean reserve(EncodedKeys keys) {
        int count = keys.count();
        long keyBytes =
                count == 0 || bytes == null
                        ? 0
                        : keys.address(count - 1)
                                + keys.length(count - 1)
                                - keys.address(0)
                                + (long) Integer.BYTES * count;
        long more = slots.growth(size, count) + entries.growth(size + (long) count);
        more += bytes == null ? 0 : bytes.growth(keyBytes);
        if (more == 0) {
            return true;
        }
        if (!memory.tryGrow(more)) {
            return false;
        }
        held += more;
        entries.grow(size + (long) count);
        if (bytes != null) {
            give(bytes.grow(keyBytes));
        }
        give(slots.grow(size, count));
        return true;
    }

    private void give(long freed) {
        if (freed > 0) {
            memory.shrink(freed);
            held -= freed;
        }
    }

    /**
     * The numbers of a batch's keys; unknown ones are added.
     *
     * @param keys for which {@link #reserve} has made room
     * @param ids of each row, out
     */
    public void ids(EncodedKeys keys, int[] ids) {
        look(keys, null, keys.count(), ids, true);
    }

    /**
     * The same for some rows of a batch.
     *
     * @param rows of which the first {@code count} are used
     * @param ids of each of these rows, out
     */
    public void ids(EncodedKeys keys, int[] rows, int count, int[] ids) {
        look(keys, rows, count, ids, true);
    }

    /**
     * The numbers of a batch's keys, or {@link #UNKNOWN}.
     *
     * @param ids of each row, out
     */
    public void find(EncodedKeys keys, int[] ids) {
        look(keys, null, keys.count(), ids, false);
    }

    /** Where the key of a number is. */
    public long address(int id) {
        return bytes == null
                ? entries.address(id)
                : OffHeap.getLong(entries.address(id)) + Integer.BYTES;
    }

    /** Bytes of the key of a number. */
    public int length(int id) {
        return bytes == null ? width : OffHeap.getInt(OffHeap.getLong(entries.address(id)));
    }

    private void look(EncodedKeys keys, int @Nullable [] rows, int count, int[] ids, boolean add) {
        if (size == 0 && !add) {
            Arrays.fill(ids, 0, count, UNKNOWN);
            return;
        }
        switch (width) {
            case Long.BYTES -> words(keys, rows, count, ids, add);
            case 2 * Long.BYTES -> pairs(keys, rows, count, ids, add);
            default -> strings(keys, rows, count, ids, add);
        }
    }

    private void words(EncodedKeys keys, int @Nullable [] rows, int count, int[] ids, boolean add) {
        for (int i = 0; i < count; i++) {
            long key = OffHeap.getLong(keys.address(rows == null ? i : rows[i]));
            int hash = (int) (KeyHash.word(key) >>> 32);
            long slot = slots.start(hash);
            while (true) {
                int id = slots.id(slot);
                if (id == UNKNOWN) {
                    ids[i] = add ? add(slot, hash) : UNKNOWN;
                    if (add) {
                        OffHeap.putLong(entries.address(ids[i]), key);
                    }
                    break;
                }
                if (slots.hash(slot) == hash && OffHeap.getLong(entries.address(id)) == key) {
                    ids[i] = id;
                    break;
                }
                slot = slots.next(slot);
            }
        }
    }

    private void pairs(EncodedKeys keys, int @Nullable [] rows, int count, int[] ids, boolean add) {
        for (int i = 0; i < count; i++) {
            long key = keys.address(rows == null ? i : rows[i]);
            long first = OffHeap.getLong(key);
            long second = OffHeap.getLong(key + Long.BYTES);
            int hash = (int) (KeyHash.pair(first, second) >>> 32);
            long slot = slots.start(hash);
            while (true) {
                int id = slots.id(slot);
                if (id == UNKNOWN) {
                    ids[i] = add ? add(slot, hash) : UNKNOWN;
                    if (add) {
                        long entry = entries.address(ids[i]);
                        OffHeap.putLong(entry, first);
                        OffHeap.putLong(entry + Long.BYTES, second);
                    }
                    break;
                }
                if (slots.hash(slot) == hash) {
                    long entry = entries.address(id);
                    if (OffHeap.getLong(entry) == first
                            && OffHeap.getLong(entry + Long.BYTES) == second) {
                        ids[i] = id;
                        break;
                    }
                }
                slot = slots.next(slot);
            }
        }
    }

    private void strings(
            EncodedKeys keys, int @Nullable [] rows, int count, int[] ids, boolean add) {
        for (int i = 0; i < count; i++) {
            int row = rows == null ? i : rows[i];
            long key = keys.address(row);
            int length = keys.length(row);
            int hash = (int) (KeyHash.of(key, length, HASH_LEVEL) >>> 32);
            long slot = slots.start(hash);
            while (true) {
                int id = slots.id(slot);
                if (id == UNKNOWN) {
                    ids[i] = add ? add(slot, hash) : UNKNOWN;
                    if (add) {
                        OffHeap.putLong(entries.address(ids[i]), store(key, length));
                    }
                    break;
                }
                if (slots.hash(slot) == hash) {
                    long entry = OffHeap.getLong(entries.address(id));
                    if (OffHeap.getInt(entry) == length
                            && KeyBytes.equal(entry + Integer.BYTES, key, length)) {
                        ids[i] = id;
                        break;
                    }
                }
                slot = slots.next(slot);
            }
        }
    }

    private int add(long slot, int hash) {
        int id = size++;
        slots.put(slot, hash, id);
        return id;
    }

    private long store(long key, int length) {
        long at = Objects.requireNonNull(bytes).take(Integer.BYTES + length);
        OffHeap.putInt(at, length);
        KeyBytes.copy(key, at + Integer.BYTES, length);
        return at;
    }

    /** Frees the table and gives back what it took. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            slots.close();
            entries.close();
            if (bytes != null) {
                bytes.close();
            }
            give(held);
        }
    }
}
