package io.spillway.scan.parquet.codec;

import io.spillway.batch.OffHeap;
import io.spillway.batch.codec.Lz4;
import net.jpountz.lz4.LZ4SafeDecompressor;

/** One LZ4 block. */
final class Lz4Decompressor extends Decompressor {

    private static final long MAX_RATIO = 255;

    private static final LZ4SafeDecompressor LZ4 = Lz4.FACTORY.safeDecompressor();

    static boolean canBecome(int compressed, int size) {
        return size <= compressed * MAX_RATIO;
    }

    static int block(long from, int compressed, long to, int size) {
        return LZ4.decompress(
                OffHeap.view(from, compressed), 0, compressed, OffHeap.view(to, size), 0, size);
    }

    @Override
    public boolean isPlausible(long from, int compressed, int size) {
        return canBecome(compressed, size);
    }

    @Override
    public long decompress(long from, int compressed, long to, int size) {
        return block(from, compressed, to, size);
    }
}
