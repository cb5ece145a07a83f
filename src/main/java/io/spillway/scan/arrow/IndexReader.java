package io.spillway.scan.arrow;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.scan.bytes.OpenFile;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.arrow.flatbuf.DictionaryBatch;
import org.apache.arrow.flatbuf.Footer;
import org.apache.arrow.flatbuf.MessageHeader;
import org.apache.arrow.flatbuf.RecordBatch;
import org.apache.arrow.flatbuf.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Looks a file through by its metadata: that of the file format by the places in its footer, that
 * of the streaming format from message to message. The two are told apart by the file format's
 * magic.
 *
 * <pre>
 * "ARROW1" 0 0 | stream | footer | length of the footer, 4 bytes | "ARROW1"
 * </pre>
 *
 * @see <a href="https://arrow.apache.org/docs/format/Columnar.html">Arrow columnar format</a>
 */
final class IndexReader {

    private static final byte[] MAGIC = "ARROW1".getBytes(StandardCharsets.US_ASCII);
    private static final int HEAD = 8;
    private static final int TAIL = Integer.BYTES + MAGIC.length;

    /** Bytes of a place in the footer. */
    private static final int BLOCK = 24;

    /** What is known of them should fit a small heap. */
    private static final int MAX_MESSAGES = 1_000_000;

    /** A message's bytes in the file. */
    private record Span(long from, long to) {}

    private final OpenFile file;
    private final MetadataBytes bytes;
    private final Place place;
    private final List<FileIndex.BatchPlace> batches = new ArrayList<>();
    private final List<FileIndex.DictionaryPlace> dictionaries = new ArrayList<>();
    private List<ArrowField> fields = List.of();
    private @Nullable ColumnBytes columnBytes;
    private long rows;
    private long metadata;

    private IndexReader(OpenFile file) {
        this.file = file;
        this.bytes = new MetadataBytes(file);
        this.place = bytes.place();
    }

    /**
     * Looks an open file through; waits.
     *
     * @throws SpillwayException {@code FILE_CORRUPT}, {@code FILE_NOT_SUPPORTED}, {@code
     *     SCHEMA_MISMATCH} if two columns have one name, {@code READ_FAILED}
     */
    static FileIndex read(OpenFile file) {
        IndexReader reader = new IndexReader(file);
        try {
            return reader.isFileFormat() ? reader.file() : reader.stream();
        } catch (IndexOutOfBoundsException e) {
            throw reader.place.corrupt(e);
        }
    }

    private boolean isFileFormat() {
        if (bytes.size() == 0) {
            throw place.corrupt("There is nothing");
        }
        int head = (int) Math.min(HEAD, bytes.size());
        ByteBuffer first = bytes.read(0, head);
        return head >= MAGIC.length && isMagic(first, 0);
    }

    private static boolean isMagic(ByteBuffer bytes, int at) {
        for (int i = 0; i < MAGIC.length; i++) {
            if (bytes.get(at + i) != MAGIC[i]) {
                return false;
            }
        }
        return true;
    }

    private FileIndex stream() {
        if (!beginsAsStream()) {
            throw place.corrupt("There is neither an Arrow file nor an Arrow stream");
        }
        MessageHead head = MessageHead.read(bytes, 0);
        if (head == null) {
            throw place.corrupt("An Arrow stream has no schema");
        }
        schema(head.header(MessageHeader.Schema, new Schema(), place), head.metadataBytes());
        long at = head.end();
        while (true) {
            head = MessageHead.read(bytes, at);
            if (head == null) {
                break;
            }
            add(head);
            at = head.end();
        }
        checkEnd(at);
        return index(true);
    }

    /** The length of a schema's metadata, perhaps behind the mark of newer versions. */
    private boolean beginsAsStream() {
        if (bytes.size() < HEAD) {
            return false;
        }
        ByteBuffer first = bytes.read(0, HEAD);
        int length = first.getInt(0) == -1 ? first.getInt(Integer.BYTES) : first.getInt(0);
        return length > 0 && length <= bytes.size();
    }

    /** Whoever puts streams behind each other must not lose the second unawares. */
    private void checkEnd(long at) {
        if (at == bytes.size()) {
            return;
        }
        int mark = bytes.read(at, Integer.BYTES).getInt(0) == 0 ? Integer.BYTES : HEAD;
        if (at + mark != bytes.size()) {
            throw place.corrupt(
                    "There are %,d bytes behind the end of the stream"
                            .formatted(bytes.size() - at - mark));
        }
    }

    private FileIndex file() {
        long size = bytes.size();
        if (size < HEAD + TAIL) {
            throw place.corrupt("There are too few bytes for an Arrow file");
        }
        ByteBuffer tail = bytes.read(size - TAIL, TAIL);
        if (!isMagic(tail, Integer.BYTES)) {
            throw place.corrupt("There is no Arrow magic at the end (the file is cut)");
        }
        int length = tail.getInt(0);
        long end = size - TAIL;
        if (length <= 0 || length > end - HEAD) {
            throw place.corrupt("A footer of %,d bytes does not fit".formatted(length));
        }
        Footer footer = Footer.getRootAsFooter(bytes.read(end - length, length));
        Schema schema = footer.schema();
        if (schema == null) {
            throw place.corrupt("The footer has no schema");
        }
        int dictionaryBlocks = count(footer.dictionariesLength(), length);
        int batchBlocks = count(footer.recordBatchesLength(), length);
        schema(schema, length);
        List<Span> spans = new ArrayList<>();
        long[] places = new long[dictionaryBlocks];
        for (int i = 0; i < dictionaryBlocks; i++) {
            places[i] = footer.dictionaries(i).offset();
        }
        blocks(places, MessageHeader.DictionaryBatch, end - length, spans);
        places = new long[batchBlocks];
        for (int i = 0; i < batchBlocks; i++) {
            places[i] = footer.recordBatches(i).offset();
        }
        blocks(places, MessageHeader.RecordBatch, end - length, spans);
        checkDisjoint(spans);
        return index(isReplaced());
    }

    /** Reads the messages at places of the footer, some at a time. */
    private void blocks(long[] places, byte type, long end, List<Span> spans) {
        for (int from = 0; from < places.length; from += MessageHeads.MOST) {
            int to = Math.min(places.length, from + MessageHeads.MOST);
            long[] some = Arrays.copyOfRange(places, from, to);
            for (long at : some) {
                if (at < HEAD) {
                    throw noBatch(at);
                }
            }
            List<@Nullable MessageHead> heads = MessageHeads.read(file, bytes, some);
            for (int i = 0; i < some.length; i++) {
                MessageHead head = heads.get(i);
                if (head == null || head.end() > end || head.message().headerType() != type) {
                    throw noBatch(some[i]);
                }
                add(head);
                spans.add(new Span(head.place(), head.end()));
            }
        }
    }

    private SpillwayException noBatch(long at) {
        return place.corrupt("The footer points to where no batch is: %,d".formatted(at));
    }

    private int count(int declared, int footer) {
        if (declared < 0 || (long) declared * BLOCK > footer) {
            throw place.corrupt("The footer is damaged: %,d places".formatted(declared));
        }
        return declared;
    }

    /** Rows that are told of twice are rows that the file does not have. */
    private void checkDisjoint(List<Span> spans) {
        spans.sort(Comparator.comparingLong(Span::from));
        for (int i = 1; i < spans.size(); i++) {
            if (spans.get(i).from() < spans.get(i - 1).to()) {
                throw place.corrupt("The footer is damaged: batches overlap");
            }
        }
    }

    /** Whether a dictionary comes twice, which the file format forbids but writers do. */
    private boolean isReplaced() {
        Set<Long> ids = new HashSet<>();
        for (FileIndex.DictionaryPlace dictionary : dictionaries) {
            if (!dictionary.isDelta() && !ids.add(dictionary.id())) {
                dictionaries.sort(Comparator.comparingLong(FileIndex.DictionaryPlace::place));
                return true;
            }
        }
        return false;
    }

    private void schema(Schema schema, long length) {
        fields = SchemaReader.read(schema, length, place);
        columnBytes = new ColumnBytes(fields);
        metadata = length;
    }

    private void add(MessageHead head) {
        if (batches.size() + dictionaries.size() >= MAX_MESSAGES) {
            throw place.notSupported("A file of more than %,d batches".formatted(MAX_MESSAGES));
        }
        switch (head.message().headerType()) {
            case MessageHeader.RecordBatch -> batch(head);
            case MessageHeader.DictionaryBatch -> {
                DictionaryBatch batch =
                        head.header(MessageHeader.DictionaryBatch, new DictionaryBatch(), place);
                dictionaries.add(
                        new FileIndex.DictionaryPlace(
                                head.place(), head.bodyBytes(), batch.id(), batch.isDelta()));
            }
            case MessageHeader.Schema -> throw place.corrupt("There is a second schema");
            default -> throw place.notSupported("A message that is no batch");
        }
    }

    private void batch(MessageHead head) {
        Place at = place.inBatch(batches.size());
        RecordBatch batch = head.header(MessageHeader.RecordBatch, new RecordBatch(), at);
        long count = batch.length();
        if (count < 0 || count > Long.MAX_VALUE - rows) {
            throw at.corrupt("There are %,d rows".formatted(count));
        }
        rows += count;
        if (columnBytes != null) {
            columnBytes.add(BatchShape.read(batch, fields, count, head, at));
        }
        batches.add(new FileIndex.BatchPlace(head.place(), head.bodyBytes(), count));
    }

    private FileIndex index(boolean appliedAtPlace) {
        ColumnBytes sums = columnBytes;
        if (sums == null) {
            throw place.failure(ErrorCode.INTERNAL, "No schema was read", null);
        }
        return new FileIndex(
                fields,
                batches,
                dictionaries,
                appliedAtPlace,
                FileIndex.partitions(batches),
                sums.bytes(),
                sums.isCompressed(),
                metadata);
    }
}
