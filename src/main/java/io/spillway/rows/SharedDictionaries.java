package io.spillway.rows;

import io.spillway.batch.ColumnVector;
import io.spillway.batch.Dictionary;
import io.spillway.batch.RecordBatch;
import io.spillway.memory.MemoryPool;
import io.spillway.memory.MemoryReservation;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;

/**
 * Counts the dictionaries that some batches refer to, each once. The batches have the references.
 * One thread at a time.
 */
final class SharedDictionaries {

    private final MemoryPool pool;
    private final IdentityHashMap<Dictionary, Held> held = new IdentityHashMap<>();
    private long bytes;

    private static final class Held {

        private final MemoryReservation room;
        private int columns;

        Held(MemoryReservation room) {
            this.room = room;
        }
    }

    SharedDictionaries(MemoryPool pool) {
        this.pool = pool;
    }

    long bytes() {
        return bytes;
    }

    /** Bytes of those of a batch's dictionaries that are not counted yet. */
    long missing(RecordBatch batch) {
        long sum = 0;
        for (Dictionary dictionary : of(batch)) {
            sum += held.containsKey(dictionary) ? 0 : size(dictionary);
        }
        return sum;
    }

    /** Counts a batch's dictionaries; if the pool has no room, none of them and answers false. */
    boolean hold(RecordBatch batch) {
        List<Dictionary> counted = new ArrayList<>();
        for (Dictionary dictionary : of(batch)) {
            Held found = held.get(dictionary);
            if (found == null) {
                MemoryReservation room = pool.tryAdmit(size(dictionary));
                if (room == null) {
                    counted.forEach(this::letGo);
                    return false;
                }
                found = new Held(room);
                held.put(dictionary, found);
                bytes += room.bytes();
            }
            found.columns++;
            counted.add(dictionary);
        }
        return true;
    }

    /** A batch that was counted is about to be closed. */
    void letGo(RecordBatch batch) {
        of(batch).forEach(this::letGo);
    }

    private void letGo(Dictionary dictionary) {
        Held found = held.get(dictionary);
        if (found != null && --found.columns == 0) {
            held.remove(dictionary);
            bytes -= found.room.bytes();
            found.room.close();
        }
    }

    private static long size(Dictionary dictionary) {
        return dictionary.values().getBufferSize();
    }

    private static List<Dictionary> of(RecordBatch batch) {
        List<Dictionary> all = new ArrayList<>();
        for (int i = 0; i < batch.schema().size(); i++) {
            if (batch.column(i) instanceof ColumnVector.Encoded(var _, Dictionary dictionary)) {
                all.add(dictionary);
            }
        }
        return all;
    }
}
