package io.spillway.scan.text;

import io.spillway.batch.OffHeap;
import io.spillway.error.SpillwayException;
import io.spillway.memory.MemoryPool;
import io.spillway.scan.bytes.Buffers;
import io.spillway.scan.bytes.OpenFile;
import io.spillway.storage.FileStatus;
import org.apache.arrow.memory.ArrowBuf;
import org.jspecify.annotations.Nullable;

/**
 * What has to be known of a text before its records can be read.
 *
 * @param compression of the file
 * @param head what stands before the records; null as long as nobody has decompressed it
 */
record TextOpening(Compression compression, @Nullable TextHead head) {

    /** Bytes of the first read; heads are shorter, but for very many columns. */
    private static final int FIRST = 64 << 10;

    /** Reads the beginning of a file that is not compressed, or finds that it is. */
    static TextOpening read(
            OpenFile file, TextSyntax syntax, TextSettings settings, MemoryPool pool) {
        int wanted = FIRST;
        while (true) {
            long size = file.pinned().size();
            int length = (int) Math.min(wanted, size);
            try (ArrowBuf buffer =
                    Buffers.allocate(pool.allocator(), (long) length + Buffers.PADDING)) {
                long base = buffer.memoryAddress();
                file.readFully(0, OffHeap.view(base, length));
                Compression compression = Compression.of(base, length);
                if (compression != Compression.NONE) {
                    return new TextOpening(compression, null);
                }
                TextHead head = head(syntax, file.pinned(), base, length, length == size, settings);
                if (head != null) {
                    return new TextOpening(compression, head);
                }
            }
            wanted *= 2;
        }
    }

    /**
     * What stands before the records in the beginning of a text.
     *
     * @return null if it does not end there
     * @throws SpillwayException naming the line, for what cannot be read so
     */
    static @Nullable TextHead head(
            TextSyntax syntax,
            FileStatus file,
            long base,
            int length,
            boolean last,
            TextSettings settings) {
        try {
            TextHead head = TextStart.head(syntax, base, base + length, last);
            if (head == null && length > settings.record()) {
                throw TextFault.corrupt(
                        base, "has a record of more than %,d bytes".formatted(settings.record()));
            }
            return head;
        } catch (TextFault fault) {
            throw TextFailures.of(Utf8Check.earliest(fault, base), file.uri(), 1, base);
        }
    }
}
