package io.spillway.expression;

import io.spillway.batch.OffHeap;
import net.jpountz.xxhash.XXHash64;
import net.jpountz.xxhash.XXHashFactory;

/** XXH64 of a text's bytes, with seed 0. */
final class HashOperator implements TextMeasure.Operator {

    private static final XXHash64 HASH = XXHashFactory.fastestJavaInstance().hash64();

    private byte[] bytes = new byte[64];

    @Override
    public long measure(TextArguments a) {
        int length = a.length(0);
        if (bytes.length < length) {
            bytes = new byte[Math.max(length, 2 * bytes.length)];
        }
        OffHeap.read(a.address(0), bytes, 0, length);
        return HASH.hash(bytes, 0, length, 0);
    }
}
