package io.spillway.job;

import io.spillway.cursor.SigningKey;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where jobs live. Thread-safe, shared by replicas; a call returns only once its effect is durable.
 * Calls wait for the database.
 */
public interface JobStore {

    /** A caller's Idempotency-Key with the digest of the body it came with. */
    record IdempotencyKey(String key, String bodyDigest) {

        /** The longest key, in characters. */
        public static final int MAX_LENGTH = 255;

        /**
         * @throws SpillwayException {@code INVALID_PARAMETER} for a key that is empty, too long, or
         *     cannot be stored
         */
        public IdempotencyKey {
            if (key.isEmpty() || key.length() > MAX_LENGTH || !StorableText.isStorable(key)) {
                throw new SpillwayException(
                                ErrorCode.INVALID_PARAMETER,
                                "An Idempotency-Key has 1 to %d characters".formatted(MAX_LENGTH))
                        .with(SpillwayException.PARAMETER, "Idempotency-Key");
            }
        }

        /** The key of a request with a body. */
        public static IdempotencyKey of(String key, byte[] body) {
            return new IdempotencyKey(key, Digests.sha256(body));
        }

        /**
         * Makes sure that the key came with the same body before.
         *
         * @param digest of the body that it came with
         * @throws SpillwayException {@code IDEMPOTENCY_CONFLICT} if it did not
         */
        public void checkBody(String digest) {
            if (!bodyDigest.equals(digest)) {
                throw new SpillwayException(
                        ErrorCode.IDEMPOTENCY_CONFLICT,
                        "This Idempotency-Key came with another body before");
            }
        }
    }

    /**
     * Adds a job; with a key, at most one job a (owner, key): a repeat with the same body gives the
     * first one's job back, whatever {@code job} is, also when two repeats race.
     *
     * @param planText the job's plan as the store's codec writes it: it has been written already,
     *     for the digest
     * @return the stored job: the one given, or the one that was there
     * @throws io.spillway.error.SpillwayException {@code IDEMPOTENCY_CONFLICT} if the key came with
     *     another body
     */
    Job add(Job job, String planText, @Nullable IdempotencyKey key);

    /**
     * The job that an earlier request with this key made, checked as in {@link #add}; spares the
     * work of planning again.
     */
    Optional<Job> find(String owner, IdempotencyKey key);

    Optional<Job> find(String id);

    /** The part of a job that changes; spares reading its plan again. */
    Optional<Job.Life> life(String id);

    /** The lives of some jobs by id, without those that are gone. */
    Map<String, Job.Life> lives(Collection<String> ids);

    /**
     * The owner's jobs, newest first, from the one behind {@code before} on; tombstones included.
     */
    List<Job> list(String owner, @Nullable String before, int limit);

    /** Number of jobs that are neither canceled nor expired. */
    int open(Instant now);

    /**
     * Moves the end of a job's life to {@code now + ttl} if that is later; nothing if it is gone,
     * canceled or expired already.
     */
    void renew(String id, Instant now, @Nullable Duration ttl);

    /** Marks a job; nothing if it is gone. A canceled job stays canceled. */
    void mark(String id, Job.StoredState state, @Nullable String failure);

    /**
     * Keeps what was counted of a job, for as long as its record is kept; nothing if it is gone or
     * counted already, since every count of a job comes to the same.
     *
     * @param rows how many rows it has
     * @param counts text from which a row source learns where they are
     */
    void saveCounts(String id, long rows, String counts);

    /** What {@link #saveCounts} has kept. */
    Optional<String> counts(String id);

    /**
     * Removes jobs whose life ended before an instant, with all that belongs to them; returns their
     * ids.
     */
    List<String> removeEndedBefore(Instant end);

    /**
     * Keys for signing tokens, newest first; makes the first one if there is none, once, also when
     * replicas race.
     */
    List<SigningKey> signingKeys();
}
