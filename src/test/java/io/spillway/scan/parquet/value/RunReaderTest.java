package io.spillway.scan.parquet.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.scan.bytes.Bits;
import io.spillway.scan.bytes.Buffers;
import io.spillway.scan.parquet.bytes.Place;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.apache.parquet.bytes.HeapByteBufferAllocator;
import org.apache.parquet.column.values.rle.RunLengthBitPackingHybridEncoder;
import org.junit.jupiter.api.Test;

/** Runs that parquet-java's encoder wrote give its values, in pieces of any size. */
class RunReaderTest {

    private static final Place PLACE = new Place("file:///f", 0, "c");

    private static int[] values(int width, int count, Random random) {
        int[] values = new int[count];
        for (int i = 0; i < count; ) {
            int value = width == 0 ? 0 : random.nextInt() >>> (32 - width);
            for (int n = random.nextInt(4) == 0 ? random.nextInt(200) : 1;
                    n > 0 && i < count;
                    n--) {
                values[i++] = value;
            }
        }
        return values;
    }

    private static MemorySegment encode(int width, int[] values, Arena arena) throws IOException {
        try (var encoder =
                new RunLengthBitPackingHybridEncoder(
                        width, 64, 1 << 20, new HeapByteBufferAllocator())) {
            for (int v : values) {
                encoder.writeInt(v);
            }
            byte[] bytes = encoder.toBytes().toInputStream().readAllBytes();
            MemorySegment memory = arena.allocate(bytes.length + Buffers.PADDING, 8);
            MemorySegment.copy(bytes, 0, memory, ValueLayout.JAVA_BYTE, 0, bytes.length);
            return memory.asSlice(0, bytes.length);
        }
    }

    @Property(tries = 300)
    void looksUp(
            @ForAll @IntRange(max = 20) int width,
            @ForAll @IntRange(max = 3000) int count,
            @ForAll boolean roomy,
            @ForAll long seed)
            throws IOException {
        Random random = new Random(seed);
        int[] values = values(width, count, random);
        int size = (1 << width) + (roomy ? random.nextInt(1 << width) + 1 : 0);
        BitSet ones = new BitSet();
        for (int i = 0; i < size; i++) {
            ones.set(i, random.nextBoolean());
        }
        byte[] table = PackedLookUp.table(Arrays.copyOf(ones.toLongArray(), size / 64 + 1), size);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment in = encode(width, values, arena);
            MemorySegment out = arena.allocate(Bits.bytes(count) + 8, 8);
            RunReader runs = new RunReader(PLACE);
            runs.reset(in.address(), in.address() + in.byteSize(), width);
            for (int at = 0; at < count; ) {
                int n = Math.min(count - at, 1 + random.nextInt(300));
                runs.lookUp(table, n, out.address(), at);
                at += n;
            }
            for (int i = 0; i < count; i++) {
                assertThat(Bits.get(out.address(), i)).as("%d", i).isEqualTo(ones.get(values[i]));
            }
        }
    }

    @Property(tries = 300)
    void looksNothingUpOutsideOfTheTable(
            @ForAll @IntRange(min = 1, max = 31) int width,
            @ForAll @IntRange(min = 1, max = 500) int count,
            @ForAll long seed)
            throws IOException {
        Random random = new Random(seed);
        int[] values = values(width, count, random);
        int size = Math.min(1 << Math.min(width, 20), Arrays.stream(values).max().orElseThrow());
        byte[] table = PackedLookUp.table(new long[size / 64 + 1], size);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment in = encode(width, values, arena);
            MemorySegment out = arena.allocate(Bits.bytes(count) + 8, 8);
            RunReader runs = new RunReader(PLACE);
            runs.reset(in.address(), in.address() + in.byteSize(), width);
            assertThatExceptionOfType(SpillwayException.class)
                    .isThrownBy(() -> runs.lookUp(table, count, out.address(), 0))
                    .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.FILE_CORRUPT));
        }
    }

    @Property(tries = 300)
    void integers(
            @ForAll @IntRange(max = 31) int width,
            @ForAll @IntRange(max = 3000) int count,
            @ForAll long seed)
            throws IOException {
        Random random = new Random(seed);
        int[] values = values(width, count, random);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment in = encode(width, values, arena);
            MemorySegment out = arena.allocate(4L * count + 8, 8);
            RunReader runs = new RunReader(PLACE);
            runs.reset(in.address(), in.address() + in.byteSize(), width);
            for (int at = 0; at < count; ) {
                int n = Math.min(count - at, 1 + random.nextInt(100));
                if (random.nextInt(4) == 0) {
                    runs.skip(n);
                } else {
                    runs.integers(out.address() + 4L * at, n, Integer.MAX_VALUE);
                    for (int i = at; i < at + n; i++) {
                        assertThat(out.getAtIndex(ValueLayout.JAVA_INT, i)).isEqualTo(values[i]);
                    }
                }
                at += n;
            }
            assertThat(out.getAtIndex(ValueLayout.JAVA_INT, count)).isZero();
        }
    }

    /**
     * One index that is outside the dictionary is found wherever it stands, and none is made up.
     */
    @Property(tries = 300)
    void limits(
            @ForAll @IntRange(min = 1, max = 31) int width,
            @ForAll @IntRange(min = 1, max = 300) int count,
            @ForAll long seed)
            throws IOException {
        Random random = new Random(seed);
        int limit = 1 + (random.nextInt() >>> (32 - width));
        int[] values = new int[count];
        for (int i = 0; i < count; i++) {
            values[i] = random.nextInt(4) == 0 ? limit - 1 : random.nextInt(limit);
        }
        int most = (int) ((1L << width) - 1);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(4L * count, 8);
            RunReader runs = new RunReader(PLACE);
            MemorySegment good = encode(width, values, arena);
            runs.reset(good.address(), good.address() + good.byteSize(), width);
            runs.integers(out.address(), count, limit);
            assertThat(out.toArray(ValueLayout.JAVA_INT)).isEqualTo(values);
            if (limit <= most) {
                values[random.nextInt(count)] = limit + random.nextInt(most - limit + 1);
                MemorySegment bad = encode(width, values, arena);
                runs.reset(bad.address(), bad.address() + bad.byteSize(), width);
                assertThatExceptionOfType(SpillwayException.class)
                        .isThrownBy(() -> runs.integers(out.address(), count, limit))
                        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.FILE_CORRUPT));
            }
        }
    }

    @Property(tries = 200)
    void bits(@ForAll @IntRange(max = 3000) int count, @ForAll long seed) throws IOException {
        Random random = new Random(seed);
        int[] values = values(1, count, random);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment in = encode(1, values, arena);
            MemorySegment out = arena.allocate(Bits.bytes(count) + 8, 8);
            RunReader runs = new RunReader(PLACE);
            runs.reset(in.address(), in.address() + in.byteSize(), 1);
            BitSet expected = new BitSet();
            for (int at = 0; at < count; ) {
                int n = Math.min(count - at, 1 + random.nextInt(200));
                int ones = 0;
                for (int i = at; i < at + n; i++) {
                    ones += values[i];
                }
                if (random.nextInt(4) == 0) {
                    assertThat(runs.skipBits(n)).isEqualTo(ones);
                } else {
                    assertThat(runs.bits(out.address(), at, n)).isEqualTo(ones);
                    for (int i = at; i < at + n; i++) {
                        expected.set(i, values[i] == 1);
                    }
                }
                at += n;
            }
            assertThat(BitSet.valueOf(out.toArray(ValueLayout.JAVA_BYTE))).isEqualTo(expected);
        }
    }

    @Property(tries = 200)
    void spreading(
            @ForAll @IntRange(max = 400) int before,
            @ForAll @IntRange(max = 400) int count,
            @ForAll @IntRange(max = 100) int nullPercent,
            @ForAll long seed) {
        Random random = new Random(seed);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment validity = arena.allocate(Bits.bytes(before + count) + 8, 8);
            List<Integer> valid = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                if (random.nextInt(100) >= nullPercent) {
                    Bits.set(validity.address(), before + i, 1, true);
                    valid.add(i);
                }
            }
            for (int width : new int[] {1, 3, 4, 8, 16}) {
                MemorySegment values = arena.allocate((long) width * count + 8, 8);
                for (int i = 0; i < valid.size(); i++) {
                    values.asSlice((long) i * width, width).fill((byte) (i + 1));
                }
                Bits.spread(
                        values.address(), width, validity.address(), before, count, valid.size());
                for (int row = 0; row < count; row++) {
                    int at = valid.indexOf(row);
                    for (int b = 0; b < width; b++) {
                        assertThat(values.get(ValueLayout.JAVA_BYTE, (long) row * width + b))
                                .isEqualTo((byte) (at + 1));
                    }
                }
            }
        }
    }

    @Test
    void valuesOutsideTheLimitAndRunsThatAreCut() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(64, 8);
            MemorySegment out = arena.allocate(4096, 8);
            byte[][] bad = {
                {}, {10}, {(byte) 0x80}, {3}, {10, 9}, {3, (byte) 0xF9, 0, 0}, {-1, -1, -1, -1, -1}
            };
            for (byte[] bytes : bad) {
                MemorySegment.copy(bytes, 0, memory, ValueLayout.JAVA_BYTE, 0, bytes.length);
                RunReader runs = new RunReader(PLACE);
                runs.reset(memory.address(), memory.address() + bytes.length, 4);
                assertThatExceptionOfType(SpillwayException.class)
                        .isThrownBy(() -> runs.integers(out.address(), 8, 9))
                        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.FILE_CORRUPT));
            }
        }
    }

    @Test
    void widthZeroIsAllZeros() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(40, 8);
            out.fill((byte) 1);
            RunReader runs = new RunReader(PLACE);
            runs.reset(0, 0, 0);
            runs.integers(out.address(), 9, 1);
            assertThat(out.asSlice(0, 36).toArray(ValueLayout.JAVA_BYTE)).containsOnly(0);
            assertThat(out.get(ValueLayout.JAVA_BYTE, 36)).isEqualTo((byte) 1);
        }
    }
}
