package io.spillway.job;

import io.spillway.scan.Pruned;
import io.spillway.scan.ScanMetrics;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

/** What one job reads, counted beside what all read. */
final class JobScanMetrics implements ScanMetrics {

    private final ScanMetrics all;
    private final LongAdder bytes = new LongAdder();
    private List<Pruned> pruned;

    /**
     * @param planned what the job's plan leaves out
     */
    JobScanMetrics(ScanMetrics all, List<Pruned> planned) {
        this.all = all;
        this.pruned = Pruned.sum(planned);
        pruned.forEach(all::pruned);
    }

    /** What was left out, by planning and by reading since. */
    synchronized List<Pruned> pruned() {
        return pruned;
    }

    /** Bytes that came from files. */
    long bytesRead() {
        return bytes.sum();
    }

    @Override
    public void fileOpened() {
        all.fileOpened();
    }

    @Override
    public void bytesRead(long count) {
        bytes.add(count);
        all.bytesRead(count);
    }

    @Override
    public void pageDecoded(long uncompressedBytes) {
        all.pageDecoded(uncompressedBytes);
    }

    @Override
    public void pageSkipped() {
        all.pageSkipped();
    }

    @Override
    public void pruned(Pruned what) {
        synchronized (this) {
            pruned = Pruned.sum(Stream.concat(pruned.stream(), Stream.of(what)).toList());
        }
        all.pruned(what);
    }
}
