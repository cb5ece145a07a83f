package io.spillway.web;

import io.spillway.delivery.Delivery;
import io.spillway.delivery.DeliveryService;
import io.spillway.job.Job;
import io.spillway.job.JobManager;
import io.spillway.job.JobProgress;
import io.spillway.job.JobService;
import java.util.List;
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
    Watch<Job, JobProgress> jobEvents(JobService jobs, JsonMapper mapper, EventSettings settings) {
        return new Watch<>("job-events", new WatchedJobs(jobs, mapper), settings);
    }

    @Bean
    Watch<Delivery, Delivery> deliveryEvents(
            DeliveryService deliveries, JsonMapper mapper, EventSettings settings) {
        return new Watch<>("delivery-events", new WatchedDeliveries(deliveries, mapper), settings);
    }

    @Bean
    Draining draining(JobManager jobs, List<Watch<?, ?>> events) {
        return new Draining(jobs, events);
    }
}
