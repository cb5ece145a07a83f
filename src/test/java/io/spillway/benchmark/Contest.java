package io.spillway.benchmark;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** Rounds in which two sides or more take turns, so that what else the machine does hits all. */
final class Contest {

    private Contest() {}

    /** One who takes turns. */
    interface Side {
        Sample turn() throws IOException;
    }

    /**
     * What one turn gave.
     *
     * @param rows rows that came, if they were counted
     * @param bytes bytes that came, if they were counted
     * @param nanos from the request on
     */
    record Sample(long rows, long bytes, long nanos) {

        double rowsPerSecond() {
            return rows * 1e9 / nanos;
        }

        double megabytesPerSecond() {
            return bytes * 1e3 / nanos;
        }

        double millis() {
            return nanos / 1e6;
        }
    }

    /**
     * Runs all rounds.
     *
     * @param warmUp rounds that do not count
     * @return the samples of each side that count
     */
    static List<List<Sample>> run(int warmUp, int rounds, Side... sides) throws IOException {
        List<List<Sample>> samples = new ArrayList<>();
        Arrays.stream(sides).forEach(_ -> samples.add(new ArrayList<>()));
        for (int round = -warmUp; round < rounds; round++) {
            for (int i = 0; i < sides.length; i++) {
                Sample sample = sides[i].turn();
                if (round >= 0) {
                    samples.get(i).add(sample);
                }
            }
        }
        return samples;
    }

    /** The middle value, or the mean of the two in the middle. */
    static <T> double median(List<T> samples, ToDoubleFunction<T> value) {
        double[] sorted = samples.stream().mapToDouble(value).sorted().toArray();
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
