package io.spillway.scan.parquet.bytes;

import io.spillway.memory.MemoryPool;
import io.spillway.memory.MemoryReservation;
import io.spillway.scan.bytes.OpenFile;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Small pieces of a file, such as indexes, which writers lay one behind the other: neighbours are
 * read in one go. Their bytes are accounted until this is closed.
 */
public final class FilePieces implements AutoCloseable {

    /** Bytes between two pieces that cost less than another request. */
    private static final int MAX_GAP = 4 << 10;

    /** Bytes of one request. */
    private static final int MAX_READ = 32 << 20;

    /** Where a piece is. */
    public record Piece(long offset, int length) {

        long end() {
            return offset + length;
        }
    }

    private final OpenFile file;
    private final MemoryPool pool;
    private final List<MemoryReservation> held = new ArrayList<>();

    /** Pieces of an open file, which stays its owner's. */
    public FilePieces(OpenFile file, MemoryPool pool) {
        this.file = file;
        this.pool = pool;
    }

    /**
     * Reads pieces; waits.
     *
     * @param pieces within the file, by any key
     * @throws io.spillway.error.SpillwayException as {@link OpenFile#readFully}; {@code
     *     MEMORY_LIMIT}
     */
    public <K> Map<K, byte[]> read(Map<K, Piece> pieces) {
        List<Map.Entry<K, Piece>> ascending = new ArrayList<>(pieces.entrySet());
        ascending.sort(Comparator.comparingLong(e -> e.getValue().offset()));
        Map<K, byte[]> read = new HashMap<>();
        int from = 0;
        while (from < ascending.size()) {
            long start = ascending.get(from).getValue().offset();
            long end = ascending.get(from).getValue().end();
            int to = from + 1;
            while (to < ascending.size()
                    && ascending.get(to).getValue().offset() - end <= MAX_GAP
                    && ascending.get(to).getValue().end() - start <= MAX_READ) {
                end = Math.max(end, ascending.get(to).getValue().end());
                to++;
            }
            byte[] bytes = read(start, (int) (end - start));
            for (Map.Entry<K, Piece> entry : ascending.subList(from, to)) {
                int at = (int) (entry.getValue().offset() - start);
                read.put(
                        entry.getKey(),
                        Arrays.copyOfRange(bytes, at, at + entry.getValue().length()));
            }
            from = to;
        }
        return read;
    }

    /** Reads one piece; waits. */
    public byte[] read(long offset, int length) {
        held.add(pool.account(2L * length));
        ByteBuffer bytes = ByteBuffer.allocate(length);
        file.readFully(offset, bytes);
        return bytes.array();
    }

    @Override
    public void close() {
        held.forEach(MemoryReservation::close);
        held.clear();
    }
}
