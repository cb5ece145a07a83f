package io.spillway.config;

import io.spillway.web.EventSettings;
import io.spillway.web.WebSettings;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The settings that the HTTP interface goes by. */
@Configuration(proxyBeanMethods = false)
class WebLimits {

    @Bean
    WebSettings webSettings(SpillwayProperties settings) {
        LimitProperties limits = settings.limits();
        return new WebSettings(
                limits.pageDefault(),
                limits.pageRows(),
                limits.pageBytes().toBytes(),
                limits.batchRows(),
                Math.toIntExact(limits.body().toBytes()),
                limits.usualWait(),
                limits.maxWait());
    }

    @Bean
    EventSettings eventSettings(SpillwayProperties settings) {
        return settings.events().settings();
    }
}
