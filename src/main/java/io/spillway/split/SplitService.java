package io.spillway.split;

import io.spillway.cursor.Split;
import io.spillway.cursor.SplitToken;
import io.spillway.error.SpillwayException;
import io.spillway.job.Digests;
import io.spillway.job.Job;
import io.spillway.job.JobPart;
import io.spillway.job.JobService;
import io.spillway.plan.document.DivideRequest;
import io.spillway.plan.document.PlanRequestParser;
import io.spillway.plan.document.SplitsRequest;
import io.spillway.rows.RowSource;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * What callers can do with splits. A split is its token; nothing is kept of it. Calls wait for the
 * job store.
 */
public final class SplitService {

    private final PlanRequestParser parser;
    private final JobService jobs;
    private final SplitToken tokens;

    public SplitService(PlanRequestParser parser, JobService jobs, SplitToken tokens) {
        this.parser = parser;
        this.jobs = jobs;
        this.tokens = tokens;
    }

    /** A split as its token, and what is known of it. */
    public record DescribedSplit(String token, SplitDescription description) {}

    /**
     * The parts of a job.
     *
     * @param droppedRows how many rows are in none of them
     * @param repeatedRows how many rows are in them once more than they need be
     */
    public record Splits(List<DescribedSplit> splits, long droppedRows, long repeatedRows) {}

    /** Both parts of a split that was divided, back to back. */
    public record Divided(DescribedSplit primary, DescribedSplit residual) {}

    /**
     * Takes a job apart. Executes nothing.
     *
     * @throws SpillwayException what is wrong with the body; {@code UNKNOWN_JOB}, {@code
     *     JOB_EXPIRED}, {@code JOB_CANCELED}; {@code ROW_COUNT_UNKNOWN}
     */
    public Splits split(String owner, String jobId, byte[] body) {
        SplitsRequest request = parser.parseSplits(body);
        Job job = jobs.toRead(owner, jobId);
        RowSource rows = jobs.rows(job);
        SplitPlan plan = SplitPlanner.plan(request, rows);
        SplitDescriber describer = new SplitDescriber(rows);
        List<DescribedSplit> splits = new ArrayList<>(plan.ranges().size());
        for (Split.Range range : plan.ranges()) {
            splits.add(described(new Split(job.id(), job.digest(), range), describer));
        }
        return new Splits(splits, plan.droppedRows(), plan.repeatedRows());
    }

    private DescribedSplit described(Split split, SplitDescriber describer) {
        return new DescribedSplit(tokens.encode(split), describer.describe(split));
    }

    /**
     * The rows of a split, which are about to be read.
     *
     * @throws SpillwayException {@code INVALID_SPLIT}; {@code UNKNOWN_JOB}, {@code JOB_EXPIRED},
     *     {@code JOB_CANCELED}
     */
    public JobPart toRead(String owner, String token) {
        Split split = tokens.decode(token);
        Job job = checked(owner, split);
        return new JobPart(job, split, Digests.sha256(token.getBytes(StandardCharsets.US_ASCII)));
    }

    private Job checked(String owner, Split split) {
        Job job = jobs.toRead(owner, split.jobId());
        if (!split.digest().equals(job.digest())) {
            throw SplitToken.invalid("The split belongs to another plan or snapshot of its job");
        }
        return job;
    }

    /**
     * Divides a split in two that have its rows one after the other. Executes nothing; the split
     * itself stays good.
     *
     * @throws SpillwayException as {@link #toRead}; what is wrong with the body; {@code
     *     ROW_COUNT_UNKNOWN} if it is not known where a fraction of the split ends
     */
    public Divided divide(String owner, String token, byte[] body) {
        DivideRequest request = parser.parseDivide(body);
        Split split = tokens.decode(token);
        RowSource rows = jobs.rows(checked(owner, split));
        SplitDivision parts = SplitDivision.of(split, request, rows);
        SplitDescriber describer = new SplitDescriber(rows);
        return new Divided(
                described(parts.primary(), describer), described(parts.residual(), describer));
    }
}
