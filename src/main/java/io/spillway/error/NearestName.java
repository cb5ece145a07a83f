package io.spillway.error;

import java.util.Collection;
import java.util.Locale;
import org.apache.commons.text.similarity.LevenshteinDistance;
import org.jspecify.annotations.Nullable;

/** Finds the name that somebody probably meant. */
public final class NearestName {

    /** Names further away than this are not what was meant. */
    private static final int MAX_EDITS = 3;

    /** Longer names are not compared: the comparison is quadratic, and nobody mistypes them. */
    private static final int MAX_LENGTH = 200;

    private NearestName() {}

    /**
     * The nearest of some names by edit distance (Levenshtein), letter case aside, or null if none
     * is near: half of the letters, at most {@value #MAX_EDITS}, may differ. Of equally near ones
     * the first.
     */
    public static @Nullable String of(String name, Collection<String> names) {
        if (name.length() > MAX_LENGTH) {
            return null;
        }
        String lower = name.toLowerCase(Locale.ROOT);
        LevenshteinDistance distance =
                new LevenshteinDistance(Math.min(MAX_EDITS, Math.max(1, name.length() / 2)));
        String nearest = null;
        int fewest = Integer.MAX_VALUE;
        for (String candidate : names) {
            int edits = distance.apply(lower, candidate.toLowerCase(Locale.ROOT));
            if (edits >= 0 && edits < fewest) {
                fewest = edits;
                nearest = candidate;
            }
        }
        return nearest;
    }
}
