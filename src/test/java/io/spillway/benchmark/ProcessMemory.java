package io.spillway.benchmark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Memory of a process as Linux tells it in /proc/PID/status. */
final class ProcessMemory {

    private ProcessMemory() {}

    /** The most that was ever resident, in bytes. */
    static long peakBytes(long pid) throws IOException {
        return field(pid, "VmHWM:");
    }

    /** What is resident now, in bytes. */
    static long residentBytes(long pid) throws IOException {
        return field(pid, "VmRSS:");
    }

    private static long field(long pid, String name) throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc", Long.toString(pid), "status"))) {
            if (line.startsWith(name)) {
                return Long.parseLong(line.replaceAll("\\D", "")) * 1024;
            }
        }
        throw new IOException("process " + pid + " does not tell " + name);
    }
}
