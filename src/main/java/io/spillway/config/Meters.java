package io.spillway.config;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.spillway.delivery.Deliverer;
import io.spillway.export.Exporter;
import io.spillway.job.JobManager;
import io.spillway.memory.MemoryPool;
import io.spillway.scan.ScanMetrics;
import io.spillway.spill.SpillManager;
import io.spillway.spool.SpoolManager;
import java.util.function.ToDoubleFunction;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What operators watch: memory, disk, readers, rows. */
@Configuration(proxyBeanMethods = false)
class Meters {

    @Bean
    ScanMetrics scanMetrics(MeterRegistry registry) {
        return new ScanCounters(registry);
    }

    @Bean
    MeterBinder spillwayMeters(MemoryPool memory, JobManager jobs) {
        return registry -> {
            bytes(
                    registry,
                    "spillway.memory.held",
                    "Memory that data takes now",
                    memory,
                    m -> m.held());
            bytes(
                    registry,
                    "spillway.memory.peak",
                    "The most that data ever took",
                    memory,
                    m -> m.peak());
            bytes(
                    registry,
                    "spillway.memory.admitted",
                    "Memory promised to work under way",
                    memory,
                    m -> m.admitted());
            bytes(
                    registry,
                    "spillway.memory.seated",
                    "Memory promised to open readers",
                    memory,
                    m -> m.seated());
            bytes(
                    registry,
                    "spillway.memory.budget",
                    "Memory that data may take",
                    memory,
                    m -> m.limit());
            Gauge.builder("spillway.readers", jobs, JobManager::readers)
                    .description("Open readers")
                    .register(registry);
        };
    }

    @Bean
    MeterBinder spillMeters(SpillManager spill) {
        return registry -> {
            bytes(
                    registry,
                    "spillway.spill.held",
                    "What spill files take now",
                    spill,
                    s -> s.held());
            bytes(
                    registry,
                    "spillway.spill.quota",
                    "What spill files may take",
                    spill,
                    s -> s.quota());
            Gauge.builder("spillway.spill.files", spill, SpillManager::files)
                    .description("Spill files that there are now")
                    .register(registry);
            FunctionCounter.builder("spillway.spill.written", spill, s -> s.written())
                    .description("What was ever written to spill files")
                    .baseUnit("bytes")
                    .register(registry);
        };
    }

    @Bean
    MeterBinder spoolMeters(SpoolManager spools) {
        return registry -> {
            bytes(
                    registry,
                    "spillway.spool.quota",
                    "What all results together may take",
                    spools,
                    s -> s.quota());
            FunctionCounter.builder("spillway.spool.written", spools, s -> s.written())
                    .description("What this process ever wrote of results")
                    .baseUnit("bytes")
                    .register(registry);
        };
    }

    @Bean
    MeterBinder exportMeters(Exporter exports) {
        return registry -> {
            Gauge.builder("spillway.exports.running", exports, Exporter::running)
                    .description("Exports that are written now")
                    .register(registry);
            FunctionCounter.builder("spillway.exports.completed", exports, Exporter::completed)
                    .description("Exports that this process has completed")
                    .register(registry);
            FunctionCounter.builder("spillway.exports.failed", exports, Exporter::failures)
                    .description("Exports that failed in this process")
                    .register(registry);
            FunctionCounter.builder("spillway.exports.rows", exports, Exporter::rowsWritten)
                    .description("Rows of the exports that this process has completed")
                    .register(registry);
            FunctionCounter.builder("spillway.exports.written", exports, Exporter::bytesWritten)
                    .description("What the exports take that this process has completed")
                    .baseUnit("bytes")
                    .register(registry);
        };
    }

    @Bean
    MeterBinder deliveryMeters(Deliverer deliveries) {
        return registry -> {
            Gauge.builder("spillway.deliveries", deliveries, Deliverer::running)
                    .description("Deliveries that this process sends now")
                    .register(registry);
            FunctionCounter.builder("spillway.deliveries.batches", deliveries, Deliverer::batches)
                    .description("Batches that this process has delivered")
                    .register(registry);
            FunctionCounter.builder("spillway.deliveries.rows", deliveries, Deliverer::rows)
                    .description("Rows of the batches that this process has delivered")
                    .register(registry);
            FunctionCounter.builder("spillway.deliveries.sent", deliveries, Deliverer::bytes)
                    .description("Bodies of the batches that this process has delivered")
                    .baseUnit("bytes")
                    .register(registry);
            FunctionCounter.builder("spillway.deliveries.failures", deliveries, Deliverer::failures)
                    .description("Requests of this process that delivered nothing")
                    .register(registry);
            FunctionCounter.builder(
                            "spillway.deliveries.dead.letters", deliveries, Deliverer::deadLetters)
                    .description("Batches that became dead letters in this process")
                    .register(registry);
        };
    }

    private static <T> void bytes(
            MeterRegistry registry,
            String name,
            String description,
            T of,
            ToDoubleFunction<T> value) {
        Gauge.builder(name, of, value)
                .description(description)
                .baseUnit("bytes")
                .register(registry);
    }
}
