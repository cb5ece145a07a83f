package io.spillway.web;

import io.spillway.job.JobService;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import tools.jackson.databind.json.JsonMapper;

/** The parts that answer with rows. */
@Configuration(proxyBeanMethods = false)
class RowsConfiguration {

    @Bean
    Compression compression() {
        return new Compression(Runtime.getRuntime().availableProcessors());
    }

    @Bean
    RowsResponder rowsResponder(
            JobService jobs,
            JsonMapper mapper,
            Compression compression,
            Blocking blocking,
            WebSettings settings,
            EventSettings eventSettings) {
        NotReady notReady = new NotReady(jobs, mapper, blocking);
        return new RowsResponder(
                jobs,
                blocking,
                new PageResponder(jobs, new PageEnvelope(mapper), compression, notReady, settings),
                new StreamResponder(jobs, compression, notReady),
                new EventResponder(jobs, mapper, eventSettings));
    }
}
