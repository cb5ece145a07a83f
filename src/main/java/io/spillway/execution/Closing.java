package io.spillway.execution;

/** Closing of things whose close may declare a checked exception that none of ours throws. */
final class Closing {

    private Closing() {}

    static void close(AutoCloseable closeable) {
        try {
            closeable.close();
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
