package io.spillway.config;

import io.spillway.cursor.KeyRing;
import io.spillway.cursor.LeaseToken;
import io.spillway.group.GroupService;
import io.spillway.group.GroupSettings;
import io.spillway.group.GroupStore;
import io.spillway.group.JdbcGroupStore;
import io.spillway.job.JobService;
import io.spillway.plan.document.PlanLimits;
import io.spillway.plan.document.PlanRequestParser;
import java.time.Clock;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;

/** Readers that share the batches of a job. */
@Configuration(proxyBeanMethods = false)
class GroupConfiguration {

    @Bean
    GroupSettings groupSettings(SpillwayProperties settings) {
        GroupProperties groups = settings.groups();
        return new GroupSettings(
                groups.lease(),
                groups.maxLease(),
                settings.limits().batchRows(),
                groups.maxClaim(),
                groups.maxPerJob(),
                groups.maxAhead());
    }

    @Bean
    GroupStore groupStore(JdbcClient jdbc, PlatformTransactionManager transactions) {
        return new JdbcGroupStore(jdbc, transactions);
    }

    @Bean
    LeaseToken leaseToken(KeyRing keys) {
        return new LeaseToken(keys);
    }

    @Bean
    GroupService groupService(
            PlanLimits limits,
            JobService jobs,
            GroupStore store,
            LeaseToken tokens,
            GroupSettings settings,
            Clock clock) {
        return new GroupService(
                new PlanRequestParser(limits), jobs, store, tokens, settings, clock);
    }
}
