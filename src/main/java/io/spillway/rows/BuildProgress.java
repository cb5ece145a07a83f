package io.spillway.rows;

import io.spillway.batch.BatchStream;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** How far the sources below blocking steps have been read. Thread-safe. */
final class BuildProgress {

    /**
     * A source that is read.
     *
     * @param rows its stream, which has read up to its position
     */
    private record Reading(RowSource source, CountedStream rows) {

        /** Partitions that are read to their end. */
        int partitionsRead() {
            if (source.rowCount().isEmpty() || !(source instanceof PartitionedSource parts)) {
                return source.partitionsCounted();
            }
            return parts.places().find(rows.position()).part();
        }
    }

    private final List<Reading> readings = new CopyOnWriteArrayList<>();

    /** A source's stream from its first row on, which is taken over. */
    BatchStream watch(RowSource source, BatchStream rows) {
        CountedStream counted = new CountedStream(rows, 0);
        readings.add(new Reading(source, counted));
        return counted;
    }

    /** Partitions that are read to their end by now. */
    int partitionsRead() {
        return readings.stream().mapToInt(Reading::partitionsRead).sum();
    }
}
