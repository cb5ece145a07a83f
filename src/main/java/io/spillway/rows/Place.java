package io.spillway.rows;

/**
 * A place in a run of input rows, and in the rows that come of them.
 *
 * @param in a row that goes in
 * @param out how many rows come of those before it
 */
record Place(long in, long out) {

    static final Place START = new Place(0, 0);
}
