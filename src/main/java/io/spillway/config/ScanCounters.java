package io.spillway.config;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.spillway.scan.ScanMetrics;

/** What scans read, as counters. */
final class ScanCounters implements ScanMetrics {

    private final Counter files;
    private final Counter bytes;
    private final Counter decoded;
    private final Counter skipped;

    ScanCounters(MeterRegistry registry) {
        files = counter(registry, "spillway.scan.files.opened", "Files opened", "files");
        bytes = counter(registry, "spillway.scan.read", "Bytes read from files", "bytes");
        decoded =
                counter(
                        registry,
                        "spillway.scan.decoded",
                        "Bytes of pages after decompression",
                        "bytes");
        skipped =
                counter(
                        registry,
                        "spillway.scan.pages.skipped",
                        "Pages passed over by their headers",
                        "pages");
    }

    private static Counter counter(
            MeterRegistry registry, String name, String description, String unit) {
        return Counter.builder(name).description(description).baseUnit(unit).register(registry);
    }

    @Override
    public void fileOpened() {
        files.increment();
    }

    @Override
    public void bytesRead(long count) {
        bytes.increment((double) count);
    }

    @Override
    public void pageDecoded(long uncompressedBytes) {
        decoded.increment((double) uncompressedBytes);
    }

    @Override
    public void pageSkipped() {
        skipped.increment();
    }
}
