package io.spillway.rows;

/** A run of input rows of which each one comes out. */
record AllPlaces(long rows) implements PartPlaces {

    @Override
    public long placed() {
        return rows;
    }

    @Override
    public Place before(long row) {
        long at = Math.min(row, rows);
        return new Place(at, at);
    }

    @Override
    public long after(long row) {
        return row <= rows ? row : -1;
    }
}
