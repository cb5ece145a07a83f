package io.spillway.testing;

import java.util.List;

/** What a test of results needs of a service, whoever answers. */
public interface RowsClient {

    /**
     * Submits a plan.
     *
     * @param plan the plan's JSON text
     * @return the job's id
     * @throws AssertionError if it is refused
     */
    String submit(String plan);

    /**
     * All rows of a plan in one call, one JSON text each, without line ends.
     *
     * @param plan the plan's JSON text
     * @throws AssertionError if the plan is refused, if the stream breaks off, or if it ends
     *     without its row count
     */
    List<String> ndjson(String plan);

    /**
     * Rows of a job as one JSON page.
     *
     * @param job its id
     * @param query the query of the request, for example {@code offset=5&limit=2}
     * @return the page as it came
     * @throws AssertionError if the answer is not a page
     */
    String page(String job, String query);

    /**
     * Rows of a job as a stream, as in {@link #ndjson(String)}.
     *
     * @param job its id
     * @param query the query of the request
     */
    List<String> lines(String job, String query);
}
