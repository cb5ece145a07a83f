package io.spillway.config;

import io.spillway.catalog.Catalog;
import io.spillway.plan.logical.PlanCompiler;
import java.util.List;
import java.util.concurrent.ExecutorService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;

/** What happens once the service is up. */
@Configuration(proxyBeanMethods = false)
class StartUp {

    private static final Logger LOG = LoggerFactory.getLogger(StartUp.class);

    private final Catalog catalog;
    private final PlanCompiler compiler;
    private final ExecutorService waiting;

    StartUp(Catalog catalog, PlanCompiler compiler, ExecutorService waiting) {
        this.catalog = catalog;
        this.compiler = compiler;
        this.waiting = waiting;
    }

    /**
     * Compiles a plan, so that the first caller does not wait for classes to load, and tells
     * newcomers what to try.
     */
    @EventListener
    void ready(ApplicationReadyEvent event) {
        waiting.execute(compiler::warmUp);
        List<String> datasets = catalog.datasetNames();
        String port =
                event.getApplicationContext().getEnvironment().getProperty("local.server.port");
        if (!datasets.isEmpty() && port != null) {
            LOG.info(
                    "Datasets: {}. Try:\n\n{}\n",
                    String.join(", ", datasets),
                    example(port, datasets.getFirst()));
        }
    }

    private static String example(String port, String dataset) {
        return "curl -s 'http://localhost:%s/v1/rows?limit=3' -H 'Content-Type: application/json' -d '{\"plan\": {\"from\": {\"dataset\": \"%s\"}}}'"
                .formatted(port, dataset);
    }
}
