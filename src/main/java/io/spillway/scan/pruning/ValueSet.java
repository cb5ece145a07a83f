package io.spillway.scan.pruning;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What the values of an expression over some rows may be: a superset of what they are. Immutable.
 *
 * @param intervals where values that are not null lie, ascending; none if there are no such values
 * @param members says no only for a value that certainly does not occur, whatever the intervals
 *     say; null if nothing is known
 * @param mayBeNull whether a value may be null
 * @param mayFail whether computing a value may raise an error
 */
public record ValueSet(
        List<Interval> intervals,
        @Nullable Predicate<Scalar> members,
        boolean mayBeNull,
        boolean mayFail) {

    private static final Scalar NAN = new Scalar.Real(Double.NaN);
    private static final ValueSet ANYTHING = new ValueSet(List.of(Interval.ALL), null, true, false);
    private static final ValueSet ANYTHING_OR_FAILURE =
            new ValueSet(List.of(Interval.ALL), null, true, true);
    private static final ValueSet NULLS = new ValueSet(List.of(), null, true, false);

    public ValueSet {
        intervals = List.copyOf(intervals);
    }

    /** Nothing is known. */
    public static ValueSet anything() {
        return ANYTHING;
    }

    /** Nothing is known, not even whether there is a value or an error. */
    static ValueSet anythingOrFailure() {
        return ANYTHING_OR_FAILURE;
    }

    static ValueSet anything(boolean mayFail) {
        return mayFail ? ANYTHING_OR_FAILURE : ANYTHING;
    }

    /** All values are null. */
    public static ValueSet nulls() {
        return NULLS;
    }

    /** Values between two bounds, each of which may be unknown; anything if they contradict. */
    public static ValueSet between(@Nullable Scalar low, @Nullable Scalar high, boolean mayBeNull) {
        boolean contradict = low != null && high != null && low.compareTo(high) > 0;
        Interval interval = contradict ? Interval.ALL : new Interval(low, high);
        return new ValueSet(List.of(interval), null, mayBeNull, false);
    }

    /** One of the values. */
    public static ValueSet of(Iterable<? extends Scalar> values, boolean mayBeNull) {
        TreeSet<Scalar> sorted = new TreeSet<>();
        values.forEach(sorted::add);
        return new ValueSet(sorted.stream().map(Interval::point).toList(), null, mayBeNull, false);
    }

    static ValueSet of(Scalar value) {
        return new ValueSet(List.of(Interval.point(value)), null, false, false);
    }

    /**
     * The same, with NaN beside the known bounds; those are of numbers that are not NaN, as most
     * formats keep them.
     */
    public ValueSet orNaN() {
        if (intervals.isEmpty() || last().high() == null) {
            // Without an upper bound the interval reaches NaN, the greatest value, as it is.
            return intervals.isEmpty() ? with(List.of(Interval.point(NAN))) : this;
        }
        List<Interval> more = new ArrayList<>(intervals);
        more.add(Interval.point(NAN));
        return with(more);
    }

    /** The same, knowing more about which values do not occur. */
    public ValueSet knowing(Predicate<Scalar> also) {
        Predicate<Scalar> known = members;
        return new ValueSet(intervals, known == null ? also : known.and(also), mayBeNull, mayFail);
    }

    private ValueSet with(List<Interval> others) {
        return new ValueSet(others, members, mayBeNull, mayFail);
    }

    /** Whether a value may be something other than null. */
    boolean mayBeValue() {
        return !intervals.isEmpty();
    }

    /** The only value there can be that is not null, or null if there may be others or none. */
    @Nullable Scalar only() {
        if (intervals.isEmpty()) {
            return null;
        }
        Interval first = intervals.getFirst();
        return first.isPoint() && first.equals(last()) ? first.low() : null;
    }

    Interval first() {
        return intervals.getFirst();
    }

    Interval last() {
        return intervals.getLast();
    }

    /** Whether a value may be this one. */
    boolean mayBe(Scalar value) {
        int low = 0;
        int high = intervals.size();
        Interval point = Interval.point(value);
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (intervals.get(middle).isBelow(point)) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low < intervals.size()
                && intervals.get(low).contains(value)
                && (members == null || members.test(value));
    }

    /** Whether a value here and a value there may be equal. */
    boolean mayEqual(ValueSet other) {
        Scalar value = only();
        if (value != null) {
            return mayBe(value) && other.mayBe(value);
        }
        value = other.only();
        if (value != null) {
            return mayBe(value);
        }
        int i = 0;
        int j = 0;
        while (i < intervals.size() && j < other.intervals.size()) {
            if (intervals.get(i).isBelow(other.intervals.get(j))) {
                i++;
            } else if (other.intervals.get(j).isBelow(intervals.get(i))) {
                j++;
            } else {
                return true;
            }
        }
        return false;
    }

    /** Whether a value here and a value there may differ. */
    boolean mayDiffer(ValueSet other) {
        if (!mayBeValue() || !other.mayBeValue()) {
            return false;
        }
        Scalar value = only();
        return value == null || !value.equals(other.only());
    }

    /** Whether a value here may be less than a value there. */
    boolean mayBeLess(ValueSet other) {
        return mayBeValue() && other.mayBeValue() && first().mayBeLess(other.last());
    }

    /** Whether a value may lie in an interval. */
    boolean overlaps(Interval interval) {
        for (Interval own : intervals) {
            if (own.overlaps(interval)) {
                return true;
            }
        }
        return false;
    }
}
