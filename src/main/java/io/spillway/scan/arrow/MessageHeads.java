package io.spillway.scan.arrow;

import io.spillway.scan.bytes.Failures;
import io.spillway.scan.bytes.OpenFile;
import io.spillway.storage.ReadProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * Messages at places that are known beforehand: one after the other from a disk, side by side from
 * where each request takes its time.
 */
final class MessageHeads {

    /** Messages that are read side by side at most. */
    static final int MOST = 32;

    private MessageHeads() {}

    /**
     * Reads messages; waits.
     *
     * @param bytes of the file, used by this thread alone
     * @param places {@link #MOST} at most
     * @return in the order of the places; null where a stream ends
     */
    static List<@Nullable MessageHead> read(OpenFile file, MetadataBytes bytes, long[] places) {
        List<@Nullable MessageHead> heads = new ArrayList<>(places.length);
        if (file.profile().gapBytes() <= ReadProfile.LOCAL.gapBytes()) {
            for (long at : places) {
                heads.add(MessageHead.read(bytes, at));
            }
            return heads;
        }
        List<CompletableFuture<@Nullable MessageHead>> answers = new ArrayList<>();
        for (long at : places) {
            CompletableFuture<@Nullable MessageHead> answer = new CompletableFuture<>();
            Thread.ofVirtual().name("spillway-read").start(() -> read(file, at, answer));
            answers.add(answer);
        }
        try {
            for (CompletableFuture<@Nullable MessageHead> answer : answers) {
                heads.add(answer.join());
            }
            return heads;
        } catch (CompletionException e) {
            throw Failures.typed(e);
        }
    }

    private static void read(
            OpenFile file, long at, CompletableFuture<@Nullable MessageHead> answer) {
        try {
            answer.complete(MessageHead.read(new MetadataBytes(file), at));
        } catch (Throwable t) {
            answer.completeExceptionally(t);
        }
    }
}
