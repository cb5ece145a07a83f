package io.spillway.config;

import io.spillway.catalog.Catalog;
import io.spillway.catalog.ConfiguredCatalog;
import io.spillway.catalog.DatasetDefinition;
import io.spillway.catalog.OwnedDatasets;
import io.spillway.cursor.CursorToken;
import io.spillway.cursor.KeyRing;
import io.spillway.cursor.TicketToken;
import io.spillway.execution.PartitionScheduler;
import io.spillway.job.JobManager;
import io.spillway.job.JobService;
import io.spillway.job.JobSettings;
import io.spillway.job.JobStore;
import io.spillway.job.PlanCodec;
import io.spillway.memory.MemoryPool;
import io.spillway.plan.document.PlanLimits;
import io.spillway.plan.document.PlanRequestParser;
import io.spillway.plan.logical.PlanCompiler;
import io.spillway.plan.physical.PhysicalPlans;
import io.spillway.scan.ScanFormat;
import io.spillway.scan.ScanMetrics;
import io.spillway.scan.arrow.ArrowFormat;
import io.spillway.scan.csv.CsvSyntax;
import io.spillway.scan.ndjson.NdjsonSyntax;
import io.spillway.scan.parquet.ParquetFormat;
import io.spillway.scan.text.TextFormat;
import io.spillway.scan.text.TextSettings;
import io.spillway.scan.text.TextSyntax;
import io.spillway.spill.SpillManager;
import io.spillway.spool.SpoolManager;
import io.spillway.storage.FileSystems;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The engine: files, plans, execution, jobs. */
@Configuration(proxyBeanMethods = false)
class EngineConfiguration {

    /** How long a reader that takes nothing keeps its buffers and open files. */
    private static final Duration IDLE_AFTER = Duration.ofSeconds(1);

    private static final long FOOTER_CACHE_BYTES = 64L << 20;

    private static final long TEXT_CACHE_BYTES = 16L << 20;

    private static final long ARROW_CACHE_BYTES = 16L << 20;

    @Bean
    Clock clock() {
        return Clock.systemUTC();
    }

    /**
     * The root of all memory for data. Not closed at the end: what the network still holds then
     * goes with the process.
     */
    @Bean(destroyMethod = "")
    MemoryPool memory(SpillwayProperties settings) {
        return MemoryPool.root(settings.memory().budgetBytes());
    }

    @Bean
    PartitionScheduler partitionScheduler(SpillwayProperties settings, MemoryPool memory) {
        return new PartitionScheduler(
                settings.scheduler().threadCount(), IDLE_AFTER, memory::isShort);
    }

    /** Threads for whatever waits for disk, network or database. */
    @Bean
    ExecutorService waiting() {
        return Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("waiting-", 0).factory());
    }

    @Bean
    FileSystems fileSystems(SpillwayProperties settings) {
        SpillwayProperties.Hadoop hadoop = settings.sources().hadoop();
        return FileSystems.of(hadoop.schemes(), hadoop.settings());
    }

    @Bean
    ScanFormat parquet(FileSystems fileSystems, ScanMetrics metrics) {
        return new ParquetFormat(fileSystems.byScheme()::get, FOOTER_CACHE_BYTES, metrics);
    }

    @Bean
    ScanFormat csv(FileSystems fileSystems, MemoryPool memory, ScanMetrics metrics) {
        return text(CsvSyntax.DEFAULT, fileSystems, memory, metrics);
    }

    @Bean
    ScanFormat ndjson(FileSystems fileSystems, MemoryPool memory, ScanMetrics metrics) {
        return text(NdjsonSyntax.DEFAULT, fileSystems, memory, metrics);
    }

    @Bean
    ScanFormat arrow(FileSystems fileSystems, ScanMetrics metrics) {
        return new ArrowFormat(fileSystems.byScheme()::get, ARROW_CACHE_BYTES, metrics);
    }

    private static ScanFormat text(
            TextSyntax syntax, FileSystems fileSystems, MemoryPool memory, ScanMetrics metrics) {
        return new TextFormat(
                syntax,
                fileSystems.byScheme()::get,
                TextSettings.DEFAULT,
                memory,
                TEXT_CACHE_BYTES,
                metrics);
    }

    @Bean
    Catalog catalog(
            SpillwayProperties settings,
            FileSystems fileSystems,
            List<ScanFormat> formats,
            OwnedDatasets owned) {
        Map<String, DatasetDefinition> datasets = new HashMap<>();
        settings.datasets().forEach((name, dataset) -> datasets.put(name, dataset.definition()));
        return new ConfiguredCatalog(
                fileSystems.byScheme(),
                formats,
                datasets,
                settings.sources().roots(),
                settings.limits().files(),
                owned);
    }

    @Bean
    PlanCodec planCodec() {
        return PlanCodec.of(PhysicalPlans::toJson, PhysicalPlans::fromJson);
    }

    @Bean
    PlanLimits planLimits(SpillwayProperties settings) {
        return settings.limits().plan().limits();
    }

    @Bean
    PlanCompiler planCompiler(Catalog catalog, PlanLimits limits, Clock clock) {
        return new PlanCompiler(catalog, limits, clock);
    }

    @Bean
    TicketToken ticketToken(KeyRing keys, Clock clock) {
        return new TicketToken(keys, clock);
    }

    @Bean
    JobSettings jobSettings(SpillwayProperties settings) {
        return new JobSettings(
                settings.jobs().ttl(),
                settings.jobs().maxTtl(),
                settings.jobs().maxOpen(),
                settings.jobs().retention(),
                settings.jobs().batchRows(),
                settings.memory().perJobBytes(),
                settings.limits().stall(),
                settings.jobs().linger(),
                settings.security().ticketLife());
    }

    @Bean
    JobManager jobManager(
            JobStore store,
            JobSettings settings,
            List<ScanFormat> formats,
            PartitionScheduler scheduler,
            MemoryPool memory,
            SpillManager spill,
            SpoolManager spools,
            ScanMetrics metrics,
            ExecutorService waiting,
            Clock clock) {
        Map<String, ScanFormat> byName = new HashMap<>();
        formats.forEach(format -> byName.put(format.name(), format));
        return new JobManager(
                store, settings, byName, scheduler, memory, spill, spools, metrics, waiting, clock);
    }

    @Bean
    JobService jobService(
            PlanLimits limits,
            PlanCompiler compiler,
            PlanCodec codec,
            JobStore store,
            JobManager manager,
            CursorToken cursors,
            TicketToken tickets,
            JobSettings settings,
            Clock clock) {
        return new JobService(
                new PlanRequestParser(limits),
                compiler,
                codec,
                store,
                manager,
                cursors,
                tickets,
                settings,
                clock);
    }
}
