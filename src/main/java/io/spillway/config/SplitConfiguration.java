package io.spillway.config;

import io.spillway.cursor.SplitToken;
import io.spillway.job.JobService;
import io.spillway.plan.document.PlanLimits;
import io.spillway.plan.document.PlanRequestParser;
import io.spillway.split.SplitService;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Jobs that are taken apart. */
@Configuration(proxyBeanMethods = false)
class SplitConfiguration {

    @Bean
    SplitService splitService(PlanLimits limits, JobService jobs, SplitToken tokens) {
        return new SplitService(new PlanRequestParser(limits), jobs, tokens);
    }
}
