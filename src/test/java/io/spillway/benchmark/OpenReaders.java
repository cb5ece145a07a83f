package io.spillway.benchmark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/**
 * What a reader costs that is there and takes nothing. The service runs with its whole heap in
 * memory from the start, so that what becomes resident later lies outside of the heap; what is in
 * use within the heap is told by the JVM after it has collected all garbage.
 */
final class OpenReaders {

    /** Flags of the JVM for this measurement. */
    static final List<String> FLAGS = List.of("-Xms512m", "-XX:+AlwaysPreTouch");

    private static final long TASTE = 2_048;
    private static final int BUFFER = 4_096;
    private static final long PATIENCE_MILLIS = 300_000;

    /** Until a reader that takes nothing has been parked. */
    private static final long PARKED_MILLIS = 3_000;

    private OpenReaders() {}

    /**
     * Opens readers, and compares what the service holds with what it held before.
     *
     * @param count readers that are open at once
     * @return bytes of memory for each
     */
    static double bytesEach(ServiceProcess service, String job, int count) throws IOException {
        SocketReaders.checkFileLimit("self", count);
        SocketReaders.checkFileLimit(Long.toString(service.pid()), count);
        // What the first readers load and fill once is no price of the others.
        openAll(service, job, count / 10);
        long before = bytesInUse(service);
        long with = openAll(service, job, count);
        return (double) (with - before) / count;
    }

    private static long openAll(ServiceProcess service, String job, int count) throws IOException {
        try (SocketReaders readers =
                new SocketReaders(
                        service.port(), job + "/rows", "text/event-stream", TASTE, BUFFER)) {
            readers.open(count, PATIENCE_MILLIS);
            Pause.millis(PARKED_MILLIS);
            long bytes = bytesInUse(service);
            if (readers.dropped() > 0) {
                throw new IOException(readers.dropped() + " of " + count + " readers were dropped");
            }
            return bytes;
        }
    }

    private static long bytesInUse(ServiceProcess service) throws IOException {
        return heapBytes(service.pid()) + ProcessMemory.residentBytes(service.pid());
    }

    /** Bytes of all reachable objects. */
    private static long heapBytes(long pid) throws IOException {
        Process jcmd =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                                Long.toString(pid),
                                "GC.class_histogram")
                        .redirectErrorStream(true)
                        .start();
        try (var lines = jcmd.inputReader(StandardCharsets.UTF_8)) {
            return lines.lines()
                    .filter(line -> line.startsWith("Total "))
                    .mapToLong(line -> Long.parseLong(line.strip().split(" +", -1)[2]))
                    .findFirst()
                    .orElseThrow(() -> new IOException("jcmd tells nothing of process " + pid));
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }
}
