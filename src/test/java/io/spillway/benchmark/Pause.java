package io.spillway.benchmark;

import java.io.IOException;

/** Waiting, where a benchmark has nothing else to do. */
final class Pause {

    private Pause() {}

    static void millis(long millis) throws IOException {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }
}
