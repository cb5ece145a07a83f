package io.spillway.operator.aggregate;

import java.util.Arrays;

/** A growing list of places in a column. */
final class Places {

    private long[] places = new long[16];
    private int count;

    void add(long place) {
        if (count == places.length) {
            places = Arrays.copyOf(places, 2 * count);
        }
        places[count++] = place;
    }

    long[] places() {
        return places;
    }

    int count() {
        return count;
    }
}
