package io.spillway.scan;

import io.spillway.storage.FileStatus;
import java.util.List;

/**
 * One pinned input file of a scan.
 *
 * @param status the state it was pinned in
 * @param partitionRows exact number of rows of each of its partitions (row groups, for Parquet), in
 *     file order
 */
public record ScanFile(FileStatus status, List<Long> partitionRows) {

    public ScanFile {
        partitionRows = List.copyOf(partitionRows);
    }

    public long rows() {
        long sum = 0;
        for (long r : partitionRows) {
            sum += r;
        }
        return sum;
    }
}
