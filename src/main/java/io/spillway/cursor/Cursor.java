package io.spillway.cursor;

import java.util.Objects;
import java.util.regex.Pattern;

/**
 * A position in a job's rows: where the next read starts.
 *
 * @param jobId the job's public identifier, 1 to {@value #MAX_JOB_ID} ASCII characters
 * @param digest the job's digest (plan with snapshot), SHA-256 in lower-case hex
 * @param rowNumber 0-based number of the next row in the job's order, never negative
 */
public record Cursor(String jobId, String digest, long rowNumber) {

    /** The longest job id, in characters, for which a token stays below 200 characters. */
    public static final int MAX_JOB_ID = 64;

    private static final Pattern JOB_ID = Pattern.compile("[\\x21-\\x7e]{1," + MAX_JOB_ID + "}");
    private static final Pattern DIGEST = Pattern.compile("[0-9a-f]{64}");

    public Cursor {
        Objects.requireNonNull(jobId, "jobId");
        Objects.requireNonNull(digest, "digest");
        if (!JOB_ID.matcher(jobId).matches()) {
            throw new IllegalArgumentException("Not a job id: " + jobId);
        }
        if (!DIGEST.matcher(digest).matches()) {
            throw new IllegalArgumentException("Not a SHA-256 in lower-case hex: " + digest);
        }
        if (rowNumber < 0) {
            throw new IllegalArgumentException("Negative row number: " + rowNumber);
        }
    }
}
