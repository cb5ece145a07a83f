package io.spillway.web;

import java.io.ByteArrayOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Something that is watched at one moment, as the texts of the events that tell of it: made once,
 * however many watch.
 *
 * @param state data of a {@code state} event
 * @param progress data of a {@code progress} event
 * @param ended whether there is nothing more to come
 */
record Look(String state, String progress, boolean ended) {

    private static final byte[] NOTHING = {};
    private static final byte[] HEARTBEAT = ServerSentEvents.comment("");

    /** Writes what has changed from one look to the next, for one watcher. */
    static final class Writer {

        private final String endId;
        private final long heartbeatNanos;
        private @Nullable Look told;
        private long lastWritten = System.nanoTime();

        /**
         * @param endId the id of the {@code end} event
         */
        Writer(String endId, long heartbeatNanos) {
            this.endId = endId;
            this.heartbeatNanos = heartbeatNanos;
        }

        /** Events, or a comment after a time without any, or null if there is nothing to write. */
        byte @Nullable [] write(Look now) {
            Look before = told;
            told = now;
            boolean newState = before == null || !before.state.equals(now.state);
            boolean newProgress = before == null || !before.progress.equals(now.progress);
            if (!newState && !newProgress && !now.ended) {
                return heartbeat();
            }
            lastWritten = System.nanoTime();
            return concat(
                    newState ? ServerSentEvents.event("state", now.state) : NOTHING,
                    newProgress ? ServerSentEvents.event("progress", now.progress) : NOTHING,
                    now.ended ? ServerSentEvents.event("end", now.state, endId) : NOTHING);
        }

        private byte @Nullable [] heartbeat() {
            long now = System.nanoTime();
            if (now - lastWritten < heartbeatNanos) {
                return null;
            }
            lastWritten = now;
            return HEARTBEAT;
        }
    }

    private static byte[] concat(byte[]... pieces) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] piece : pieces) {
            all.writeBytes(piece);
        }
        return all.toByteArray();
    }
}
