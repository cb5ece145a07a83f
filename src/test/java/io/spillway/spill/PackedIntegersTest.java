package io.spillway.spill;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.batch.OffHeap;
import java.util.Random;
import java.util.function.IntToLongFunction;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PackedIntegersTest {

    private static final byte UNTOUCHED = 0x5A;
    private static final int ROOM = 64;

    private final BufferAllocator allocator = new RootAllocator();

    @AfterEach
    void nothingIsLeft() {
        assertThat(allocator.getAllocatedMemory()).isZero();
        allocator.close();
    }

    /**
     * Packs values and looks at what comes back.
     *
     * @return bytes packed, or -1
     */
    private long thereAndBack(int count, int width, IntToLongFunction value) {
        long bytes = (long) width * count;
        try (ArrowBuf values = allocator.buffer(bytes);
                ArrowBuf packed = allocator.buffer(bytes + ROOM);
                ArrowBuf back = allocator.buffer(bytes + ROOM)) {
            for (int i = 0; i < count; i++) {
                long at = values.memoryAddress() + (long) width * i;
                if (width == Long.BYTES) {
                    OffHeap.putLong(at, value.applyAsLong(i));
                } else {
                    OffHeap.putInt(at, (int) value.applyAsLong(i));
                }
            }
            long to = packed.memoryAddress();
            OffHeap.fill(to + bytes, ROOM, UNTOUCHED);
            OffHeap.fill(back.memoryAddress() + bytes, ROOM, UNTOUCHED);
            long written = new PackedIntegers().pack(values.memoryAddress(), bytes, width, to);
            assertUntouched(packed, bytes);
            if (written < 0) {
                return written;
            }
            assertThat(PackedIntegers.unpack(to, written, back.memoryAddress(), bytes, width))
                    .isTrue();
            assertUntouched(back, bytes);
            for (long i = 0; i < bytes; i++) {
                assertThat(back.getByte(i)).isEqualTo(values.getByte(i));
            }
            assertThat(PackedIntegers.unpack(to, written - 1, back.memoryAddress(), bytes, width))
                    .isFalse();
            return written;
        }
    }

    private static void assertUntouched(ArrowBuf buffer, long from) {
        for (long i = from; i < from + ROOM; i++) {
            assertThat(buffer.getByte(i)).isEqualTo(UNTOUCHED);
        }
    }

    @Property(tries = 300)
    void whatIsPackedComesBack(
            @ForAll long seed,
            @ForAll @IntRange(min = 1, max = 2_000) int count,
            @ForAll @IntRange(max = 64) int bits,
            @ForAll boolean wide) {
        Random random = new Random(seed);
        long base = random.nextLong();
        long mask = bits == 64 ? -1 : (1L << bits) - 1;
        int width = wide ? Long.BYTES : Integer.BYTES;
        thereAndBack(count, width, _ -> base + (random.nextLong() & mask));
    }

    @ParameterizedTest
    @ValueSource(ints = {Integer.BYTES, Long.BYTES})
    void neighboursTakeFewBits(int width) {
        int count = 8_192;
        assertThat(thereAndBack(count, width, i -> 1_000_000L + 14L * i)).isLessThan(500);
        Random random = new Random(7);
        long[] last = {5};
        assertThat(thereAndBack(count, width, _ -> last[0] += 1 + random.nextInt(63)))
                .isLessThan(count);
        assertThat(thereAndBack(count, width, _ -> 0)).isLessThan(500);
    }

    @Test
    void theLargestAndTheLeastAreNeighbours() {
        long[] all = {Long.MIN_VALUE, Long.MAX_VALUE, 0, -1, Long.MAX_VALUE, Long.MIN_VALUE};
        assertThat(thereAndBack(4_000, Long.BYTES, i -> i < 3_900 ? 3 : all[i % all.length]))
                .isPositive();
        int[] small = {Integer.MIN_VALUE, Integer.MAX_VALUE, 0, -1};
        assertThat(thereAndBack(4_000, Integer.BYTES, i -> i < 3_000 ? 3 : small[i % small.length]))
                .isPositive();
    }

    @Test
    void whatHasNoPatternIsLeftToOthers() {
        Random random = new Random(3);
        assertThat(thereAndBack(8_192, Long.BYTES, _ -> random.nextLong())).isNegative();
        assertThat(thereAndBack(8_192, Integer.BYTES, _ -> random.nextInt())).isNegative();
        assertThat(thereAndBack(1, Long.BYTES, _ -> 1)).isNegative();
        assertThat(thereAndBack(3, Integer.BYTES, _ -> 1)).isNegative();
    }

    @Property(tries = 300)
    void damageReadsAndWritesNothingOutside(@ForAll long seed) {
        Random random = new Random(seed);
        int count = 1 + random.nextInt(600);
        int width = random.nextBoolean() ? Long.BYTES : Integer.BYTES;
        long bytes = (long) count * width;
        int packed = random.nextInt(3_000);
        try (ArrowBuf from = allocator.buffer(packed + 1L);
                ArrowBuf to = allocator.buffer(bytes + ROOM)) {
            for (int i = 0; i < packed; i++) {
                from.setByte(i, random.nextInt(20));
            }
            OffHeap.fill(to.memoryAddress() + bytes, ROOM, UNTOUCHED);
            PackedIntegers.unpack(from.memoryAddress(), packed, to.memoryAddress(), bytes, width);
            assertUntouched(to, bytes);
        }
    }
}
