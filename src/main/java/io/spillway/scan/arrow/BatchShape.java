package io.spillway.scan.arrow;

import io.spillway.batch.codec.Compression;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.flatbuf.BodyCompression;
import org.apache.arrow.flatbuf.Buffer;
import org.apache.arrow.flatbuf.CompressionType;
import org.apache.arrow.flatbuf.FieldNode;
import org.apache.arrow.flatbuf.RecordBatch;
import org.jspecify.annotations.Nullable;

/**
 * Where the values of a record batch are in its body: its list of nodes and buffers, which stand in
 * the order of the schema's fields, parents before children (Arrow columnar format, "Recursive
 * flattening"). Buffers are checked to be in the body.
 *
 * @param rows of the batch
 * @param compression of every buffer, or null
 * @param slots one for each field
 * @param buffers in the order of the batch
 */
record BatchShape(
        long rows, @Nullable Compression compression, List<Slot> slots, List<Span> buffers) {

    /** More values are in no batch: so that sums and products of sizes do not overflow. */
    private static final long MOST_VALUES = 1L << 40;

    /** A buffer's place in the body; no bytes if it was left out. */
    record Span(long offset, long length) {}

    /**
     * A field's part.
     *
     * @param length number of values
     * @param nulls how many are null, as the batch says
     * @param firstBuffer its first buffer's number
     * @param bufferCount its own buffers
     * @param bytes of its buffers and its children's
     */
    record Slot(
            ArrowField field,
            long length,
            long nulls,
            int firstBuffer,
            int bufferCount,
            long bytes,
            List<Slot> children) {}

    /**
     * Reads the metadata of a batch.
     *
     * @param rows that each field must have
     * @param head of the message that it is in
     */
    static BatchShape read(
            RecordBatch batch, List<ArrowField> fields, long rows, MessageHead head, Place place) {
        try {
            return new Reader(batch, head, place).read(fields, rows);
        } catch (IndexOutOfBoundsException e) {
            throw place.corrupt(e);
        }
    }

    private static final class Reader {

        private final RecordBatch batch;
        private final long body;
        private final boolean isOld;
        private final Place place;
        private final int nodes;
        private final int bufferCount;
        private final List<Span> buffers = new ArrayList<>();
        private final FieldNode node = new FieldNode();
        private final Buffer buffer = new Buffer();
        private final @Nullable Compression compression;
        private int nextNode;
        private int nextViews;

        Reader(RecordBatch batch, MessageHead head, Place place) {
            this.batch = batch;
            this.body = head.bodyBytes();
            this.isOld = head.isOld();
            this.place = place;
            this.nodes = batch.nodesLength();
            this.bufferCount = batch.buffersLength();
            this.compression = compression();
        }

        BatchShape read(List<ArrowField> fields, long rows) {
            List<Slot> slots = new ArrayList<>(fields.size());
            for (ArrowField field : fields) {
                Slot slot = slot(field);
                if (slot.length() != rows) {
                    throw place.inColumn(field.name())
                            .corrupt(
                                    "There are %,d values for %,d rows"
                                            .formatted(slot.length(), rows));
                }
                slots.add(slot);
            }
            if (nextNode != nodes || buffers.size() != bufferCount) {
                throw place.corrupt("There are more nodes or buffers than the schema has");
            }
            return new BatchShape(rows, compression, slots, buffers);
        }

        private Slot slot(ArrowField field) {
            if (nextNode >= nodes) {
                throw place.corrupt("There are fewer nodes than the schema has");
            }
            batch.nodes(node, nextNode++);
            long length = node.length();
            long nulls = node.nullCount();
            if (length < 0 || length > MOST_VALUES || nulls < 0 || nulls > length) {
                throw place.corrupt(
                        "The field '%s' has %,d values, %,d of them null"
                                .formatted(field.name(), length, nulls));
            }
            int first = buffers.size();
            int own = field.layout().buffers(isOld);
            if (field.layout() instanceof Layout.Views) {
                own += views();
            }
            long bytes = 0;
            for (int i = 0; i < own; i++) {
                bytes += add();
            }
            if (field.layout() instanceof Layout.Fixed(int width, var _)) {
                check(field, length, width, buffers.get(first + 1).length());
            }
            List<Slot> children = new ArrayList<>(field.children().size());
            for (ArrowField child : field.children()) {
                Slot slot = slot(child);
                bytes += slot.bytes();
                children.add(slot);
            }
            if (field.layout() instanceof Layout.FixedElements(int size)) {
                checkElements(field, length, size, children.getFirst().length());
            }
            return new Slot(field, length, nulls, first, own, bytes, children);
        }

        private void check(ArrowField field, long length, int width, long bytes) {
            long most = compression == null ? bytes : Integer.MAX_VALUE;
            if (width > 0 && length > most / width) {
                throw place.corrupt(
                        "The field '%s' has %,d bytes for %,d values"
                                .formatted(field.name(), bytes, length));
            }
        }

        private void checkElements(ArrowField field, long length, int size, long elements) {
            if (size > 0 && length > elements / size) {
                throw place.corrupt(
                        "The field '%s' has %,d elements for %,d lists"
                                .formatted(field.name(), elements, length));
            }
        }

        /** The number of buffers that a field of views has besides. */
        private int views() {
            long count =
                    nextViews < batch.variadicBufferCountsLength()
                            ? batch.variadicBufferCounts(nextViews++)
                            : -1;
            if (count < 0 || count > bufferCount) {
                throw place.corrupt("A field of views has no count of its buffers");
            }
            return (int) count;
        }

        private long add() {
            if (buffers.size() >= bufferCount) {
                throw place.corrupt("There are fewer buffers than the schema has");
            }
            batch.buffers(buffer, buffers.size());
            long offset = buffer.offset();
            long length = buffer.length();
            if (length < 0 || (length > 0 && (offset < 0 || offset > body - length))) {
                throw place.corrupt(
                        "A buffer of %,d bytes at %,d is not in a body of %,d bytes"
                                .formatted(length, offset, body));
            }
            buffers.add(new Span(length == 0 ? 0 : offset, length));
            return length;
        }

        private @Nullable Compression compression() {
            BodyCompression how = batch.compression();
            if (how == null) {
                return null;
            }
            return switch (how.codec()) {
                case CompressionType.LZ4_FRAME -> Compression.LZ4;
                case CompressionType.ZSTD -> Compression.ZSTD;
                default -> throw place.notSupported("A codec of number " + how.codec());
            };
        }
    }
}
