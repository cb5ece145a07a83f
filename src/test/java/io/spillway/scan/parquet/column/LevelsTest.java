package io.spillway.scan.parquet.column;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.scan.bytes.Bits;
import io.spillway.scan.bytes.Buffers;
import io.spillway.scan.parquet.bytes.Levels;
import io.spillway.scan.parquet.bytes.Place;
import io.spillway.scan.parquet.value.RunReader;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.apache.parquet.bytes.HeapByteBufferAllocator;
import org.apache.parquet.column.values.rle.RunLengthBitPackingHybridEncoder;

/** Levels of any width, and questions to 64 of them at a time. */
class LevelsTest {

    private static final Place PLACE = new Place("file:///f", 0, "c");

    private static byte[] levels(int count, int most, Random random) {
        byte[] levels = new byte[count];
        for (int i = 0; i < count; ) {
            byte level = (byte) random.nextInt(most + 1);
            for (int n = random.nextInt(4) == 0 ? random.nextInt(100) : 1;
                    n > 0 && i < count;
                    n--) {
                levels[i++] = level;
            }
        }
        return levels;
    }

    @Property(tries = 300)
    void comparisons(
            @ForAll @IntRange(max = 300) int count,
            @ForAll @IntRange(min = 1, max = 200) int most,
            @ForAll @IntRange(max = 255) int least,
            @ForAll long seed) {
        Random random = new Random(seed);
        byte[] levels = levels(count, most, random);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(count + Levels.PADDING);
            MemorySegment.copy(levels, 0, memory, ValueLayout.JAVA_BYTE, 0, count);
            int expected = 0;
            for (int i = 0; i < count; i++) {
                boolean is = (levels[i] & 0xFF) >= least;
                expected += is ? 1 : 0;
                int bit = random.nextInt(Math.min(64, i + 1));
                long word = Levels.atLeast(memory.address() + i - bit, least);
                assertThat((word >>> bit & 1) != 0).isEqualTo(is);
            }
            assertThat(Levels.countAtLeast(memory.address(), count, least)).isEqualTo(expected);
        }
    }

    @Property(tries = 300)
    void runsOfLevels(
            @ForAll @IntRange(min = 1, max = 130) int most,
            @ForAll @IntRange(max = 1000) int count,
            @ForAll long seed)
            throws IOException {
        Random random = new Random(seed);
        byte[] levels = levels(count, most, random);
        int width = 32 - Integer.numberOfLeadingZeros(most);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment in = encode(width, levels, arena);
            MemorySegment out = arena.allocate(count + 8, 8);
            RunReader runs = new RunReader(PLACE);
            runs.reset(in.address(), in.address() + in.byteSize(), width);
            for (int at = 0; at < count; ) {
                int n = Math.min(count - at, 1 + random.nextInt(100));
                runs.levels(out.address() + at, n, most);
                at += n;
            }
            assertThat(out.asSlice(0, count).toArray(ValueLayout.JAVA_BYTE)).isEqualTo(levels);

            int highest = 0;
            for (byte level : levels) {
                highest = Math.max(highest, level & 0xFF);
            }
            if (highest > 0) {
                int tooLow = highest - 1;
                runs.reset(in.address(), in.address() + in.byteSize(), width);
                assertThatExceptionOfType(SpillwayException.class)
                        .isThrownBy(() -> runs.levels(out.address(), count, tooLow))
                        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.FILE_CORRUPT));
            }
        }
    }

    private static MemorySegment encode(int width, byte[] levels, Arena arena) throws IOException {
        try (var encoder =
                new RunLengthBitPackingHybridEncoder(
                        width, 64, 1 << 20, new HeapByteBufferAllocator())) {
            for (byte level : levels) {
                encoder.writeInt(level & 0xFF);
            }
            byte[] bytes = encoder.toBytes().toInputStream().readAllBytes();
            MemorySegment memory = arena.allocate(bytes.length + Buffers.PADDING, 8);
            MemorySegment.copy(bytes, 0, memory, ValueLayout.JAVA_BYTE, 0, bytes.length);
            return memory.asSlice(0, bytes.length);
        }
    }

    @Property(tries = 200)
    void appendedBits(@ForAll @IntRange(max = 40) int parts, @ForAll long seed) {
        Random random = new Random(seed);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment bitmap = arena.allocate(8L * (parts + 2), 8);
            MemorySegment other = arena.allocate(8L * (parts + 2), 8);
            bitmap.fill((byte) -1);
            BitSet expected = new BitSet();
            int bits = 0;
            for (int i = 0; i < parts; i++) {
                int n = random.nextInt(65);
                long value = random.nextLong() & Levels.first(n);
                Bits.append(bitmap.address(), bits, value, n);
                for (int b = 0; b < n; b++) {
                    expected.set(bits + b, (value >>> b & 1) != 0);
                }
                bits += n;
            }
            BitSet actual = BitSet.valueOf(bitmap.toArray(ValueLayout.JAVA_BYTE));
            assertThat(actual.get(0, bits)).isEqualTo(expected);

            other.fill((byte) 1);
            long[] words = Arrays.copyOf(expected.toLongArray(), parts + 2);
            MemorySegment.copy(words, 0, other, ValueLayout.JAVA_LONG, 0, (bits + 63) / 64);
            assertThat(Bits.same(bitmap.address(), other.address(), bits)).isTrue();
            if (bits > 0) {
                int flipped = random.nextInt(bits);
                Bits.set(other.address(), flipped, 1, !expected.get(flipped));
                assertThat(Bits.same(bitmap.address(), other.address(), bits)).isFalse();
                assertThat(Bits.same(bitmap.address(), other.address(), flipped)).isTrue();
            }
        }
    }
}
