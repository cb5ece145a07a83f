package io.spillway.scan.arrow;

import java.util.ArrayList;
import java.util.List;

/**
 * What is known of a file without its bodies.
 *
 * <p>A partition is a run of record batches one behind the other, {@link #PARTITION} bytes of
 * bodies or one batch at least, so that small batches do not make many partitions. That is the same
 * whenever the file is looked at.
 *
 * @param fields of its schema
 * @param batches in the order of their rows
 * @param dictionaries in the order in which they are applied
 * @param appliedAtPlace whether a dictionary holds for the record batches behind it only, not for
 *     all of the file
 * @param firstBatches the first batch of each partition, and the number of batches at the end
 * @param columnBytes bytes that each field takes in the bodies of all batches
 * @param isCompressed whether any of the bodies is
 */
@SuppressWarnings("ArrayRecordComponent") // nobody compares indexes, and there may be many
record FileIndex(
        List<ArrowField> fields,
        List<BatchPlace> batches,
        List<DictionaryPlace> dictionaries,
        boolean appliedAtPlace,
        int[] firstBatches,
        long[] columnBytes,
        boolean isCompressed,
        long metadataBytes) {

    private static final long PARTITION = 8 << 20;

    /**
     * A record batch.
     *
     * @param place of its message in the file
     */
    record BatchPlace(long place, long bodyBytes, long rows) {}

    /** A dictionary batch: all entries, or, if it is a delta, some more. */
    record DictionaryPlace(long place, long bodyBytes, long id, boolean isDelta) {}

    FileIndex {
        fields = List.copyOf(fields);
        batches = List.copyOf(batches);
        dictionaries = List.copyOf(dictionaries);
    }

    static int[] partitions(List<BatchPlace> batches) {
        List<Integer> firsts = new ArrayList<>();
        long bytes = 0;
        for (int i = 0; i < batches.size(); i++) {
            if (i == 0 || bytes >= PARTITION) {
                firsts.add(i);
                bytes = 0;
            }
            bytes += batches.get(i).bodyBytes();
        }
        firsts.add(batches.size());
        return firsts.stream().mapToInt(Integer::intValue).toArray();
    }

    int partitions() {
        return firstBatches.length - 1;
    }

    /** Rows of a partition. */
    long rows(int partition) {
        long sum = 0;
        for (int i = firstBatches[partition]; i < firstBatches[partition + 1]; i++) {
            sum += batches.get(i).rows();
        }
        return sum;
    }

    List<Long> partitionRows() {
        List<Long> rows = new ArrayList<>(partitions());
        for (int i = 0; i < partitions(); i++) {
            rows.add(rows(i));
        }
        return rows;
    }

    /** Bytes of all bodies. */
    long bytes() {
        long sum = 0;
        for (BatchPlace batch : batches) {
            sum += batch.bodyBytes();
        }
        for (DictionaryPlace dictionary : dictionaries) {
            sum += dictionary.bodyBytes();
        }
        return sum;
    }

    /** Bytes of heap, more or less. */
    long weight() {
        return 1_000 + 6 * metadataBytes + 56L * (batches.size() + dictionaries.size());
    }

    /** The position of a field by name, or -1. */
    int indexOf(String name) {
        for (int i = 0; i < fields.size(); i++) {
            if (fields.get(i).name().equals(name)) {
                return i;
            }
        }
        return -1;
    }
}
