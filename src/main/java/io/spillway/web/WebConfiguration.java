package io.spillway.web;

import io.spillway.job.JobManager;
import io.spillway.job.JobService;
import java.util.concurrent.ExecutorService;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import tools.jackson.databind.json.JsonMapper;

/** The parts of the HTTP interface. */
@Configuration(proxyBeanMethods = false)
class WebConfiguration {

    @Bean
    ProblemHandler problemHandler() {
        return new ProblemHandler();
    }

    @Bean
    LongBodies longBodies() {
        return new LongBodies();
    }

    @Bean
    Blocking blocking(ExecutorService waiting) {
        return new Blocking(waiting);
    }

    @Bean
    RequestBodies requestBodies(WebSettings settings) {
        return new RequestBodies(settings.maxBodyBytes());
    }

    @Bean
    JobEvents jobEvents(JobService jobs, JsonMapper mapper, EventSettings settings) {
        return new JobEvents(jobs, mapper, settings);
    }

    @Bean
    Draining draining(JobManager jobs, JobEvents events) {
        return new Draining(jobs, events);
    }
}
