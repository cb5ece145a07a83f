package io.spillway.config;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.spillway.scan.Pruned;
import io.spillway.scan.ScanMetrics;
import java.util.EnumMap;
import java.util.Map;

/** What scans read, as counters. */
final class ScanCounters implements ScanMetrics {

    private final Counter files;
    private final Counter bytes;
    private final Counter decoded;
    private final Counter skipped;
    private final Map<Pruned.By, Saved> saved = new EnumMap<>(Pruned.By.class);

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
        for (Pruned.By by : Pruned.By.values()) {
            saved.put(by, Saved.in(registry, by));
        }
    }

    /** What one kind of knowledge saved. */
    private record Saved(Counter partitions, Counter pages, Counter rows, Counter bytes) {

        static Saved in(MeterRegistry registry, Pruned.By by) {
            return new Saved(
                    counter(registry, by, "partitions", "Partitions that a filter left out"),
                    counter(registry, by, "pages", "Pages that a filter left out"),
                    counter(registry, by, "rows", "Rows that a filter left undecoded"),
                    counter(registry, by, "bytes", "Bytes that a filter left unread"));
        }

        private static Counter counter(
                MeterRegistry registry, Pruned.By by, String unit, String description) {
            return Counter.builder("spillway.scan.pruned." + unit)
                    .description(description)
                    .baseUnit(unit)
                    .tag("by", by.label())
                    .register(registry);
        }
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

    @Override
    public void pruned(Pruned what) {
        Saved counters = saved.get(what.by());
        if (counters != null) {
            counters.partitions().increment((double) what.partitions());
            counters.pages().increment((double) what.pages());
            counters.rows().increment((double) what.rows());
            counters.bytes().increment((double) what.bytes());
        }
    }
}
