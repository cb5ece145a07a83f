package io.spillway.plan.document;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Rows of a job, or of a plan that becomes one, that are to be sent elsewhere in batches.
 *
 * @param source whose rows
 * @param target where to
 * @param batch how they are cut
 * @param body a template of the requests' bodies; null for the rows themselves
 * @param bodyFormat what a body is
 * @param order in which order batches are settled
 * @param concurrency requests that are under way at once, at most
 * @param requestsPerSecond how many are begun in a second, at most; null if that is no matter
 * @param retry what is done about failures that may pass
 * @param splitOnTooLarge whether a batch that the target finds too large is sent in halves
 * @param disableAfter for how long nothing but failures ends the delivery
 * @param capture what is kept of the answers; null for nothing
 */
public record DeliveryRequest(
        Source source,
        Target target,
        BatchShape batch,
        @Nullable JsonValue body,
        BodyFormat bodyFormat,
        Order order,
        int concurrency,
        @Nullable Double requestsPerSecond,
        Retry retry,
        boolean splitOnTooLarge,
        Duration disableAfter,
        @Nullable Capture capture) {

    /** Where the rows come from. */
    public sealed interface Source {

        /** The rows of a job that is there. */
        record OfJob(String id) implements Source {}

        /**
         * The rows of a plan.
         *
         * @param submission the body that submits it as a job, as JSON
         */
        record OfPlan(String submission) implements Source {}
    }

    /**
     * Where requests go.
     *
     * @param url as it was written
     * @param method of the requests
     * @param headers beside those that all requests have; their values may name secrets
     * @param authentication how requests say who sends them; null if they do not
     * @param gzip whether bodies are compressed
     */
    public record Target(
            String url,
            Method method,
            Map<String, String> headers,
            @Nullable DeliveryAuthentication authentication,
            boolean gzip) {

        public Target {
            headers = Collections.unmodifiableMap(new LinkedHashMap<>(headers));
        }
    }

    /** Methods of requests that have a body. */
    public enum Method {
        POST,
        PUT,
        PATCH
    }

    /** In which order batches are settled. */
    public enum Order {
        /** Each after all before it. */
        STRICT,
        /** As they come: one that waits for its next attempt holds up no other. */
        ANY
    }

    /**
     * What is done about failures that may pass.
     *
     * @param maxAttempts attempts a batch, the first one included
     * @param timeout of one attempt, from its start to the end of the answer
     * @param initialDelay the longest wait after the first failure; it doubles with each more
     * @param maxDelay what it does not grow beyond
     * @param maxRetryAfter the longest wait that a target is granted that asks for one
     */
    public record Retry(
            int maxAttempts,
            Duration timeout,
            Duration initialDelay,
            Duration maxDelay,
            Duration maxRetryAfter) {}

    /**
     * What is kept of the answers.
     *
     * @param columns taken out of them, in this order
     * @param keys columns of the rows that stand beside them
     * @param dataset name of the dataset that comes of it; null for one that is made up
     */
    public record Capture(
            List<CapturedColumn> columns, List<String> keys, @Nullable String dataset) {

        public Capture {
            columns = List.copyOf(columns);
            keys = List.copyOf(keys);
        }
    }

    /**
     * One column that is taken out of answers.
     *
     * @param path as JSONPath
     * @param type as it was written; null if the first answer is to show it
     */
    public record CapturedColumn(String name, String path, @Nullable String type) {}
}
