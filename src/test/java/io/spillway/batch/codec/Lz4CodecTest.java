package io.spillway.batch.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.batch.OffHeap;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Random;
import net.jpountz.lz4.LZ4FrameOutputStream;
import net.jpountz.lz4.LZ4FrameOutputStream.BLOCKSIZE;
import net.jpountz.lz4.LZ4FrameOutputStream.FLG.Bits;
import net.jpountz.xxhash.XXHashFactory;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.RootAllocator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Frames of other writers: of every block size, linked, and with checksums. */
class Lz4CodecTest {

    private static final int LENGTH = 300_000;

    /** Bytes that repeat themselves at all distances, and some that do not. */
    private static byte[] content(long seed, int length) {
        Random random = new Random(seed);
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; ) {
            int run = Math.min(length - i, 1 + random.nextInt(200));
            if (i < 10 || random.nextInt(4) == 0) {
                for (int j = 0; j < run; j++) {
                    bytes[i + j] = (byte) random.nextInt(256);
                }
            } else {
                int distance = 1 + random.nextInt(Math.min(i, random.nextBoolean() ? 12 : 65_535));
                for (int j = 0; j < run; j++) {
                    bytes[i + j] = bytes[i + j - distance];
                }
            }
            i += run;
        }
        return bytes;
    }

    /** What a frame gives if it is to give so many bytes, or null. */
    private static byte @Nullable [] decompress(byte[] frame, int length) {
        BufferCodec codec = BufferCodec.borrow(Compression.LZ4);
        try (RootAllocator allocator = new RootAllocator();
                ArrowBuf from = allocator.buffer(frame.length);
                ArrowBuf to = allocator.buffer(length + 64L)) {
            from.setBytes(0, frame);
            OffHeap.fill(to.memoryAddress(), length + 64L, (byte) 0x5A);
            boolean whole =
                    codec.decompress(
                            from.memoryAddress(), frame.length, to.memoryAddress(), length);
            for (int i = length; i < length + 64; i++) {
                assertThat(to.getByte(i)).isEqualTo((byte) 0x5A);
            }
            byte[] bytes = new byte[length];
            to.getBytes(0, bytes);
            return whole ? bytes : null;
        } finally {
            codec.giveBack();
        }
    }

    private static byte[] frame(byte[] content, BLOCKSIZE size, Bits... flags) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        boolean sized = Arrays.asList(flags).contains(Bits.CONTENT_SIZE);
        try (LZ4FrameOutputStream frame =
                new LZ4FrameOutputStream(out, size, sized ? content.length : -1L, flags)) {
            frame.write(content);
        }
        return out.toByteArray();
    }

    @Test
    void framesWithChecksumsAndOfAnyBlockSizeAreRead() throws IOException {
        byte[] content = content(1, LENGTH);
        for (BLOCKSIZE size : BLOCKSIZE.values()) {
            for (Bits[] flags :
                    new Bits[][] {
                        {Bits.BLOCK_INDEPENDENCE},
                        {Bits.BLOCK_INDEPENDENCE, Bits.BLOCK_CHECKSUM},
                        {Bits.BLOCK_INDEPENDENCE, Bits.CONTENT_CHECKSUM, Bits.CONTENT_SIZE}
                    }) {
                byte[] frame = frame(content, size, flags);
                assertThat(decompress(frame, LENGTH)).isEqualTo(content);
                assertThat(decompress(frame, LENGTH - 1)).isNull();
                assertThat(decompress(frame, LENGTH + 1)).isNull();
                assertThat(decompress(Arrays.copyOf(frame, frame.length - 1), LENGTH)).isNull();
                assertThat(decompress(Arrays.copyOf(frame, frame.length + 1), LENGTH)).isNull();
                if (flags.length > 1) {
                    byte[] damaged = frame.clone();
                    damaged[frame.length / 2] ^= 1;
                    assertThat(decompress(damaged, LENGTH)).isNull();
                }
            }
        }
    }

    /** A frame of one block of literals and others that repeat bytes of the blocks before. */
    private static byte[] linked(byte[] first, int repeats, int distance, int length) {
        ByteBuffer out = ByteBuffer.allocate(100_000).order(ByteOrder.LITTLE_ENDIAN);
        out.putInt(Lz4Frame.MAGIC).put((byte) 0x40).put((byte) 0x40);
        byte[] descriptor = {0x40, 0x40};
        int hash = XXHashFactory.fastestInstance().hash32().hash(descriptor, 0, 2, 0);
        out.put((byte) (hash >>> 8));
        out.putInt(first.length | Lz4Frame.STORED).put(first);
        for (int i = 0; i < repeats; i++) {
            int at = out.position();
            out.putInt(0).put((byte) 0x0F).putShort((short) distance);
            int more = length - 4 - 15;
            for (; more >= 255; more -= 255) {
                out.put((byte) 255);
            }
            out.put((byte) more);
            // The last sequence has literals only.
            out.put((byte) 0x50).put(new byte[] {1, 2, 3, 4, 5});
            out.putInt(at, out.position() - at - 4);
        }
        out.putInt(0);
        return Arrays.copyOf(out.array(), out.position());
    }

    @Test
    void linkedBlocksRepeatBytesOfTheBlocksBefore() {
        byte[] first = content(2, 40_000);
        for (int distance : new int[] {1, 2, 7, 8, 9, 15, 16, 1000, 39_999}) {
            int length = 3_000;
            int all = first.length + 3 * (length + 5);
            ByteBuffer expected = ByteBuffer.allocate(all).put(first);
            for (int i = 0; i < 3; i++) {
                for (int j = 0; j < length; j++) {
                    expected.put(expected.get(expected.position() - distance));
                }
                expected.put(new byte[] {1, 2, 3, 4, 5});
            }
            byte[] frame = linked(first, 3, distance, length);
            assertThat(decompress(frame, all)).isEqualTo(expected.array());
            assertThat(decompress(frame, all - 1)).isNull();
        }
        assertThat(decompress(linked(first, 1, 40_001, 30), first.length + 35)).isNull();
        assertThat(decompress(linked(first, 1, 0, 30), first.length + 35)).isNull();
    }

    @Test
    void damagedFramesWriteNothingBehindTheirBytes() throws IOException {
        byte[] first = content(3, 2_000);
        byte[][] frames = {
            linked(first, 5, 700, 300),
            frame(content(4, 5_000), BLOCKSIZE.SIZE_64KB, Bits.BLOCK_INDEPENDENCE)
        };
        Random random = new Random(5);
        for (int i = 0; i < 5_000; i++) {
            byte[] frame = frames[i % 2].clone();
            for (int n = 1 + random.nextInt(3); n > 0; n--) {
                frame[random.nextInt(frame.length)] = (byte) random.nextInt();
            }
            decompress(frame, random.nextInt(6_000));
        }
    }
}
