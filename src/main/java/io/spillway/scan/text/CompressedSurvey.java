package io.spillway.scan.text;

import io.spillway.batch.OffHeap;
import io.spillway.error.SpillwayException;
import io.spillway.memory.MemoryPool;
import io.spillway.memory.MemoryReservation;
import io.spillway.scan.FileMetadata;
import io.spillway.scan.bytes.Buffers;
import io.spillway.storage.FileStatus;
import org.apache.arrow.memory.ArrowBuf;
import org.jspecify.annotations.Nullable;

/**
 * Looks through a compressed text from its beginning to its end. It is one partition, since nothing
 * can be read of it but from its beginning.
 */
final class CompressedSurvey implements AutoCloseable {

    /**
     * What is known then.
     *
     * @param head what stands before the records
     */
    record Result(TextHead head, FileMetadata metadata) {}

    private final FileStatus file;
    private final TextSyntax syntax;
    private final TextSettings settings;
    private final MemoryPool pool;
    private final TextBytes bytes;

    private ArrowBuf buffer;
    private int length;
    private boolean last;

    private CompressedSurvey(
            FileStatus file,
            TextSyntax syntax,
            TextSettings settings,
            MemoryPool pool,
            TextBytes bytes) {
        this.file = file;
        this.syntax = syntax;
        this.settings = settings;
        this.pool = pool;
        this.bytes = bytes;
        this.buffer = Buffers.allocate(pool.allocator(), settings.partition() + Buffers.PADDING);
    }

    /**
     * Looks through all records; the caller closes the bytes.
     *
     * @throws SpillwayException for what is no record, naming the line, and as reads of the bytes
     */
    static Result run(
            FileStatus file,
            TextSyntax syntax,
            TextSettings settings,
            MemoryPool pool,
            TextBytes bytes) {
        try (MemoryReservation _ =
                        Survey.admitted(
                                pool, Buffers.rounded(settings.partition()) + Buffers.PADDING);
                CompressedSurvey survey =
                        new CompressedSurvey(file, syntax, settings, pool, bytes)) {
            return survey.run();
        }
    }

    /** What stands before the records; the caller closes the bytes. */
    static TextHead head(
            FileStatus file,
            TextSyntax syntax,
            TextSettings settings,
            MemoryPool pool,
            TextBytes bytes) {
        try (CompressedSurvey survey = new CompressedSurvey(file, syntax, settings, pool, bytes)) {
            return survey.head();
        }
    }

    private Result run() {
        TextHead head = head();
        drop(head.offset());
        long lines = head.line();
        try (Surveyor surveyor = syntax.surveyor(head)) {
            while (true) {
                long base = buffer.memoryAddress();
                int done;
                try {
                    done = (int) (surveyor.survey(base, base + length, base + length, last) - base);
                    Utf8Check.check(base, base + done);
                } catch (TextFault fault) {
                    throw TextFailures.of(Utf8Check.earliest(fault, base), file.uri(), lines, base);
                }
                lines += Swar.count(base, base + done, (byte) '\n');
                drop(done);
                if (last) {
                    break;
                }
                if (length > settings.record()) {
                    throw TextFailures.of(
                            TextFault.corrupt(
                                    buffer.memoryAddress(),
                                    "has a record of more than %,d bytes"
                                            .formatted(settings.record())),
                            file.uri(),
                            lines);
                }
                fill();
            }
            Survey survey = new Survey(file, syntax.noRecords(head), 1);
            survey.add(new Survey.Part(0, surveyor.rows(), 0, surveyor.inferred()));
            return new Result(head, survey.metadata());
        }
    }

    private TextHead head() {
        while (true) {
            fill();
            long base = buffer.memoryAddress();
            @Nullable TextHead head = TextOpening.head(syntax, file, base, length, last, settings);
            if (head != null) {
                return head;
            }
        }
    }

    /** Reads on, until the buffer is full; it grows if it is. */
    private void fill() {
        if (length + Buffers.PADDING >= buffer.capacity()) {
            buffer = Buffers.grow(pool.allocator(), buffer, 2 * buffer.capacity());
        }
        int room = (int) buffer.capacity() - Buffers.PADDING - length;
        int read = bytes.read(buffer.memoryAddress() + length, room);
        length += read;
        last = read < room;
    }

    private void drop(int done) {
        long base = buffer.memoryAddress();
        OffHeap.copy(base + done, base, length - done);
        length -= done;
    }

    @Override
    public void close() {
        buffer.close();
    }
}
