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
    NotReady notReady(JobService jobs, JsonMapper mapper, Blocking blocking) {
        return new NotReady(jobs, mapper, blocking);
    }

    @Bean
    StreamResponder streamResponder(JobService jobs, Compression compression, NotReady notReady) {
        return new StreamResponder(jobs, compression, notReady);
    }

    @Bean
    EventResponder eventResponder(JobService jobs, JsonMapper mapper, EventSettings settings) {
        return new EventResponder(jobs, mapper, settings);
    }

    @Bean
    RowsResponder rowsResponder(
            JobService jobs,
            Blocking blocking,
            JsonMapper mapper,
            Compression compression,
            NotReady notReady,
            WebSettings settings,
            StreamResponder streams,
            EventResponder events) {
        return new RowsResponder(
                jobs,
                blocking,
                new PageResponder(jobs, new PageEnvelope(mapper), compression, notReady, settings),
                streams,
                events);
    }

    @Bean
    BatchesResponder batchesResponder(
            JobService jobs, StreamResponder streams, EventResponder events, NotReady notReady) {
        return new BatchesResponder(jobs, streams, events, notReady);
    }

    @Bean
    BatchResponder batchResponder(JobService jobs, StreamResponder streams) {
        return new BatchResponder(jobs, streams);
    }
}
