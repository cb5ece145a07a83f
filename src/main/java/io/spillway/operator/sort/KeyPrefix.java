package io.spillway.operator.sort;

import io.spillway.batch.OffHeap;
import io.spillway.operator.key.EncodedKeys;
import io.spillway.operator.key.KeyBytes;
import java.util.Arrays;
import java.util.List;

/**
 * The bytes that the keys of some rows all begin with: nobody needs to compare these. A word of a
 * key is taken from behind them, where it tells most.
 */
final class KeyPrefix {

    private final byte[] bytes;

    private KeyPrefix(byte[] bytes) {
        this.bytes = bytes;
    }

    /**
     * The prefix of all keys.
     *
     * @param keys of at least one row
     */
    static KeyPrefix of(List<EncodedKeys> keys) {
        long first = keys.getFirst().address(0);
        int length = keys.getFirst().length(0);
        for (EncodedKeys some : keys) {
            for (int i = 0; i < some.count() && length > 0; i++) {
                length =
                        KeyBytes.mismatch(
                                first, some.address(i), 0, Math.min(length, some.length(i)));
            }
        }
        byte[] bytes = new byte[length];
        OffHeap.read(first, bytes, 0, length);
        return new KeyPrefix(bytes);
    }

    /** What both begin with. */
    KeyPrefix and(KeyPrefix other) {
        int mismatch = Arrays.mismatch(bytes, other.bytes);
        return mismatch < 0 ? this : new KeyPrefix(Arrays.copyOf(bytes, mismatch));
    }

    int length() {
        return bytes.length;
    }
}
