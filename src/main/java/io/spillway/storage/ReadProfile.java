package io.spillway.storage;

/**
 * How a file system likes to be read. A request to an object store costs tens of milliseconds
 * before its first byte, one to a local disk next to nothing: the one is better asked for much at
 * once and for many things side by side, the other for no byte that is not needed.
 *
 * @param parallelism requests that are worth having under way at once, over all files
 * @param gapBytes bytes between two ranges up to which both are better read by one request
 * @param aheadBytes bytes that a reader better asks for ahead of what it needs, over all parts of a
 *     file that it reads side by side
 */
public record ReadProfile(int parallelism, int gapBytes, int aheadBytes) {

    /** The machine's own disks. */
    public static final ReadProfile LOCAL = new ReadProfile(32, 64 << 10, 1 << 20);

    public ReadProfile {
        if (parallelism < 1 || gapBytes < 0 || aheadBytes < 1) {
            throw new IllegalArgumentException(
                    "parallelism " + parallelism + ", gap " + gapBytes + ", ahead " + aheadBytes);
        }
    }
}
