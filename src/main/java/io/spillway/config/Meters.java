package io.spillway.config;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.spillway.job.JobManager;
import io.spillway.memory.MemoryPool;
import io.spillway.scan.ScanMetrics;
import java.util.function.ToDoubleFunction;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What operators watch: memory, readers, rows. */
@Configuration(proxyBeanMethods = false)
class Meters {

    @Bean
    ScanMetrics scanMetrics(MeterRegistry registry) {
        return new ScanCounters(registry);
    }

    @Bean
    MeterBinder spillwayMeters(MemoryPool memory, JobManager jobs) {
        return registry -> {
            gauge(
                    registry,
                    "spillway.memory.held",
                    "Memory that data takes now",
                    memory,
                    m -> m.held());
            gauge(
                    registry,
                    "spillway.memory.peak",
                    "The most that data ever took",
                    memory,
                    m -> m.peak());
            gauge(
                    registry,
                    "spillway.memory.admitted",
                    "Memory promised to work under way",
                    memory,
                    m -> m.admitted());
            gauge(
                    registry,
                    "spillway.memory.seated",
                    "Memory promised to open readers",
                    memory,
                    m -> m.seated());
            gauge(
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

    private static void gauge(
            MeterRegistry registry,
            String name,
            String description,
            MemoryPool memory,
            ToDoubleFunction<MemoryPool> value) {
        Gauge.builder(name, memory, value)
                .description(description)
                .baseUnit("bytes")
                .register(registry);
    }
}
