package io.spillway.oracle;

import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.RandomDistribution;

/**
 * A sequence of numbers that decides, one after the other, what a generated thing looks like; after
 * its end every choice is the first. So generators are plain code that asks questions, and a
 * failing case shrinks by itself: fewer numbers and smaller ones make simpler things, as in
 * Hypothesis (MacIver and Donaldson, "Test-Case Reduction via Test-Case Generation", ECOOP 2020).
 * Generators put the simplest alternative first. Used once.
 */
final class Choices {

    private static final int RANGE = 1 << 20;

    private final List<Integer> numbers;
    private int next;

    private Choices(List<Integer> numbers) {
        this.numbers = numbers;
    }

    /** These choices. */
    static Choices of(List<Integer> numbers) {
        return new Choices(List.copyOf(numbers));
    }

    /** Random sequences of up to {@code length} choices. */
    static Arbitrary<Choices> sequences(int length) {
        return Arbitraries.integers()
                .between(0, RANGE - 1)
                .withDistribution(RandomDistribution.uniform())
                .withoutEdgeCases()
                .list()
                .ofMaxSize(length)
                .withSizeDistribution(RandomDistribution.uniform())
                .map(Choices::new);
    }

    /** A number in {@code [0, bound)}. */
    int below(int bound) {
        int number = next < numbers.size() ? numbers.get(next++) : 0;
        return number % bound;
    }

    /** True in about {@code percent} of 100 cases; false is the simple answer. */
    boolean chance(int percent) {
        return below(100) >= 100 - percent;
    }

    /** One of the alternatives. */
    <T> T pick(List<T> alternatives) {
        return alternatives.get(below(alternatives.size()));
    }

    /** One of the alternatives. */
    @SafeVarargs
    final <T> T oneOf(T... alternatives) {
        return alternatives[below(alternatives.length)];
    }
}
