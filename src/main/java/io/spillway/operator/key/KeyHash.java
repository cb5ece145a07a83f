package io.spillway.operator.key;

import io.spillway.batch.OffHeap;

/**
 * 64-bit hashes of keys: functions of the key's bytes and of a level alone, on every machine. Keys
 * that fall into one partition by the hash of one level are spread anew by that of the next.
 *
 * <p>The mix folds the 128-bit product of two words, as Wang Yi's wyhash (final version 4, public
 * domain) does; like it, this is no defence against an enemy who knows it. Words are read
 * little-endian.
 */
public final class KeyHash {

    private static final long P0 = 0xa0761d6478bd642fL;
    private static final long P1 = 0xe7037ed1a0b428dbL;
    private static final long P2 = 0x8ebc6af09c88c6e3L;

    private static final long TABLE_SEED = seed(KeyTable.HASH_LEVEL);

    private KeyHash() {}

    /** The hash of a key. */
    public static long of(long address, int length, int level) {
        long seed = seed(level);
        return switch (length) {
            case Long.BYTES -> word(OffHeap.getLong(address), seed);
            case 2 * Long.BYTES ->
                    pair(OffHeap.getLong(address), OffHeap.getLong(address + Long.BYTES), seed);
            default -> bytes(address, length, seed);
        };
    }

    /**
     * The hashes of all keys of a batch.
     *
     * @param to as long as there are keys, or longer
     */
    public static void of(EncodedKeys keys, int level, long[] to) {
        int count = keys.count();
        long seed = seed(level);
        long data = count == 0 ? 0 : keys.address(0);
        switch (keys.width()) {
            case Long.BYTES -> {
                for (int i = 0; i < count; i++) {
                    to[i] = word(OffHeap.getLong(data + 8L * i), seed);
                }
            }
            case 2 * Long.BYTES -> {
                for (int i = 0; i < count; i++) {
                    long at = data + 16L * i;
                    to[i] = pair(OffHeap.getLong(at), OffHeap.getLong(at + 8), seed);
                }
            }
            default -> {
                for (int i = 0; i < count; i++) {
                    to[i] = of(keys.address(i), keys.length(i), level);
                }
            }
        }
    }

    /** The hash of a key of eight bytes, at the tables' level. */
    static long word(long word) {
        return word(word, TABLE_SEED);
    }

    /** The hash of a key of sixteen bytes, at the tables' level. */
    static long pair(long first, long second) {
        return pair(first, second, TABLE_SEED);
    }

    private static long seed(int level) {
        return mix(level ^ P0, P1);
    }

    private static long word(long word, long seed) {
        return mix(mix(word ^ P1, seed ^ P2), P0);
    }

    private static long pair(long first, long second, long seed) {
        return mix(mix(first ^ P1, second ^ seed) ^ P2, mix(second ^ P0, first ^ seed ^ P2));
    }

    private static long bytes(long address, int length, long seed) {
        long hash = seed ^ length;
        int i = 0;
        for (; i + 2 * Long.BYTES <= length; i += 2 * Long.BYTES) {
            long first = OffHeap.getLong(address + i);
            long second = OffHeap.getLong(address + i + Long.BYTES);
            hash = mix(first ^ P1, second ^ hash) ^ Long.rotateLeft(first + second, 23);
        }
        long first = 0;
        long second = 0;
        int rest = length - i;
        if (rest >= Long.BYTES) {
            first = OffHeap.getLong(address + i);
            second = tail(address + i + Long.BYTES, rest - Long.BYTES);
        } else {
            first = tail(address + i, rest);
        }
        return mix(mix(first ^ P1, second ^ hash) ^ P2, hash ^ P0 ^ second);
    }

    /** Fewer than eight bytes. */
    private static long tail(long address, int length) {
        long word = 0;
        for (int i = 0; i < length; i++) {
            word |= (long) OffHeap.getUnsignedByte(address + i) << (i << 3);
        }
        return word;
    }

    private static long mix(long a, long b) {
        return Math.unsignedMultiplyHigh(a, b) ^ a * b;
    }
}
