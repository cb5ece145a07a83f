package io.spillway.operator.join;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A join as a person would write it down: two loops. */
final class NaiveJoin {

    /** Decides about a pair; null is unknown. */
    interface Condition {
        @Nullable Boolean test(List<@Nullable Object> left, List<@Nullable Object> right);
    }

    private NaiveJoin() {}

    static List<List<@Nullable Object>> of(
            JoinType type,
            List<JoinKey> keys,
            @Nullable Condition condition,
            List<List<@Nullable Object>> left,
            int leftWidth,
            List<List<@Nullable Object>> right,
            int rightWidth) {
        List<List<@Nullable Object>> out = new ArrayList<>();
        boolean[] found = new boolean[right.size()];
        for (List<@Nullable Object> l : left) {
            boolean any = false;
            for (int r = 0; r < right.size(); r++) {
                List<@Nullable Object> candidate = right.get(r);
                boolean match =
                        keys.stream().allMatch(key -> equal(key, l, candidate))
                                && (condition == null
                                        || Boolean.TRUE.equals(condition.test(l, candidate)));
                if (match) {
                    any = true;
                    found[r] = true;
                    if (type.hasRight()) {
                        out.add(concat(l, candidate));
                    }
                }
            }
            switch (type) {
                case LEFT, FULL -> {
                    if (!any) {
                        out.add(concat(l, nulls(rightWidth)));
                    }
                }
                case SEMI -> {
                    if (any) {
                        out.add(l);
                    }
                }
                case ANTI -> {
                    if (!any) {
                        out.add(l);
                    }
                }
                case INNER, RIGHT -> {}
            }
        }
        for (int r = 0; type.keepsRight() && r < right.size(); r++) {
            if (!found[r]) {
                out.add(concat(nulls(leftWidth), right.get(r)));
            }
        }
        return out;
    }

    private static boolean equal(
            JoinKey key, List<@Nullable Object> left, List<@Nullable Object> right) {
        Object a = left.get(key.left());
        Object b = right.get(key.right());
        if (a == null || b == null) {
            return key.nullSafe() && a == null && b == null;
        }
        return same(a, b);
    }

    private static boolean same(@Nullable Object a, @Nullable Object b) {
        return switch (a) {
            case Double x -> b instanceof Double y && (x.equals(y) || (x == 0 && y == 0));
            case List<?> x -> b instanceof List<?> y && sameAll(x, y);
            case null, default -> Objects.equals(a, b);
        };
    }

    private static boolean sameAll(List<?> a, List<?> b) {
        if (a.size() != b.size()) {
            return false;
        }
        for (int i = 0; i < a.size(); i++) {
            if (!same(a.get(i), b.get(i))) {
                return false;
            }
        }
        return true;
    }

    private static List<@Nullable Object> concat(
            List<@Nullable Object> left, List<@Nullable Object> right) {
        List<@Nullable Object> row = new ArrayList<>(left);
        row.addAll(right);
        return row;
    }

    private static List<@Nullable Object> nulls(int width) {
        List<@Nullable Object> row = new ArrayList<>();
        for (int i = 0; i < width; i++) {
            row.add(null);
        }
        return row;
    }
}
