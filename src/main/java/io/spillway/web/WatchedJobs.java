package io.spillway.web;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.spillway.cursor.EventIds;
import io.spillway.job.Job;
import io.spillway.job.JobProgress;
import io.spillway.job.JobService;
import io.spillway.job.JobState;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** Jobs as things that are watched. */
record WatchedJobs(JobService jobs, JsonMapper mapper) implements Watch.Subjects<Job, JobProgress> {

    @JsonInclude(JsonInclude.Include.NON_NULL)
    private record StateData(JobState state, @Nullable String failure) {}

    private record ProgressData(
            ProgressDocument progress, @Nullable Long rowCount, boolean rowCountKnown) {}

    @Override
    public String id(Job job) {
        return job.id();
    }

    @Override
    public String endId(Job job) {
        return new EventIds(job.id(), job.digest()).end();
    }

    @Override
    public JobProgress progress(Job job) {
        return jobs.progress(job);
    }

    @Override
    public Map<String, JobProgress> progress(Collection<Job> some) {
        return jobs.look(some);
    }

    @Override
    public Look look(JobProgress job) {
        return new Look(
                mapper.writeValueAsString(new StateData(job.state(), job.failure())),
                mapper.writeValueAsString(
                        new ProgressData(
                                ProgressDocument.of(job), job.rowCount(), job.rowCount() != null)),
                job.state().isEnd());
    }

    /** A job whose record has been removed: its life had ended long before. */
    @Override
    public Look gone(Look before) {
        return new Look(
                mapper.writeValueAsString(new StateData(JobState.EXPIRED, null)),
                before.progress(),
                true);
    }
}
