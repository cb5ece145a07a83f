package io.spillway.config;

import io.spillway.catalog.ExportRoots;
import io.spillway.export.ExportService;
import io.spillway.export.ExportSettings;
import io.spillway.export.ExportStore;
import io.spillway.export.Exporter;
import io.spillway.export.JdbcExportStore;
import io.spillway.job.JobManager;
import io.spillway.job.JobService;
import io.spillway.plan.document.PlanLimits;
import io.spillway.plan.document.PlanRequestParser;
import io.spillway.storage.FileSystems;
import java.time.Clock;
import java.util.concurrent.ExecutorService;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Rows of jobs that are written as files elsewhere. */
@Configuration(proxyBeanMethods = false)
class ExportConfiguration {

    @Bean
    ExportSettings exportSettings(SpillwayProperties settings) {
        ExportProperties exports = settings.exports();
        return new ExportSettings(
                exports.running(),
                exports.maxOpen(),
                exports.lease(),
                exports.rowGroup().toBytes());
    }

    @Bean
    ExportRoots exportRoots(SpillwayProperties settings, FileSystems fileSystems) {
        return new ExportRoots(fileSystems.byScheme(), settings.exports().roots());
    }

    @Bean
    ExportStore exportStore(JdbcClient jdbc) {
        return new JdbcExportStore(jdbc);
    }

    @Bean
    Exporter exporter(
            ExportStore store,
            JobService jobs,
            JobManager manager,
            ExportRoots roots,
            ExportSettings settings,
            ExecutorService waiting) {
        return new Exporter(store, jobs, manager, roots, settings, waiting);
    }

    @Bean
    ExportService exportService(
            PlanLimits limits,
            JobService jobs,
            ExportRoots roots,
            ExportStore store,
            Exporter exporter,
            ExportSettings settings,
            Clock clock) {
        return new ExportService(
                new PlanRequestParser(limits), jobs, roots, store, exporter, settings, clock);
    }
}
