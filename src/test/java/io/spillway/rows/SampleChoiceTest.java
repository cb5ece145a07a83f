package io.spillway.rows;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SampleChoiceTest {

    @Property(tries = 200)
    void chosenRowsAscendAndAreThere(
            @ForAll @IntRange(max = 400) int total,
            @ForAll @IntRange(max = 400) int rows,
            @ForAll long seed) {
        SampleChoice choice = new SampleChoice(rows, seed);
        assertThat(choice.of(total)).isEqualTo(Math.min(rows, total));
        if (rows > 0 && rows < total) {
            long[] chosen = choice.choose(total);
            assertThat(chosen).hasSize(rows).isSorted().doesNotHaveDuplicates();
            assertThat(chosen[0]).isNotNegative();
            assertThat(chosen[rows - 1]).isLessThan(total);
            assertThat(new SampleChoice(rows, seed).choose(total)).isEqualTo(chosen);
        }
    }

    /** Pearson's test over single rows and over pairs, few of many and many of few. */
    @ParameterizedTest
    @CsvSource({"3, 10", "7, 10", "2, 40", "5, 9"})
    void everyRowAndEveryPairIsAsLikely(int rows, int total) {
        int tries = 40_000;
        long[] single = new long[total];
        long[] pairs = new long[total * total];
        for (int seed = 0; seed < tries; seed++) {
            long[] chosen = new SampleChoice(rows, seed).choose(total);
            for (long a : chosen) {
                single[(int) a]++;
                for (long b : chosen) {
                    if (a < b) {
                        pairs[(int) (a * total + b)]++;
                    }
                }
            }
        }
        double row = (double) tries * rows / total;
        double chi = Arrays.stream(single).mapToDouble(n -> (n - row) * (n - row) / row).sum();
        // Far beyond what chance gives once in a million times for so many degrees of freedom.
        assertThat(chi).isLessThan(total + 6 * Math.sqrt(2.0 * total) + 12);
        double pair = row * (rows - 1) / (total - 1);
        double chiOfPairs = 0;
        int count = 0;
        for (int a = 0; a < total; a++) {
            for (int b = a + 1; b < total; b++) {
                double off = pairs[a * total + b] - pair;
                chiOfPairs += off * off / pair;
                count++;
            }
        }
        assertThat(chiOfPairs).isLessThan(count + 6 * Math.sqrt(2.0 * count) + 12);
    }

    /** A sample of a stored plan is the same rows for as long as the plan lives. */
    @Test
    void theChoiceIsPartOfTheInterface() {
        assertThat(new SampleChoice(3, 7).choose(1_000)).containsExactly(549, 649, 721);
    }
}
