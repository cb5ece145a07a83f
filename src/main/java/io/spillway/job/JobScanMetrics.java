package io.spillway.job;

import io.spillway.scan.ScanMetrics;
import java.util.concurrent.atomic.LongAdder;

/** What one job reads, counted beside what all read. */
final class JobScanMetrics implements ScanMetrics {

    private final ScanMetrics all;
    private final LongAdder bytes = new LongAdder();

    JobScanMetrics(ScanMetrics all) {
        this.all = all;
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
}
