package io.spillway.scan.parquet.value;

import io.spillway.scan.parquet.bytes.Place;
import io.spillway.scan.parquet.page.Page;

/** DELTA_BINARY_PACKED integers of 32 or 64 bits. */
final class DeltaIntegers implements FixedSource {

    private final int width;
    private final DeltaReader deltas;

    DeltaIntegers(int width, Place place) {
        this.width = width;
        this.deltas = new DeltaReader(place);
    }

    @Override
    public void start(Page page, int most) {
        deltas.start(page.at(), page.end(), most);
    }

    @Override
    public void read(Page page, long out, int values) {
        if (width == Integer.BYTES) {
            deltas.ints(out, values);
        } else {
            deltas.longs(out, values);
        }
    }

    @Override
    public boolean mayHold(int values) {
        return values <= deltas.left();
    }

    @Override
    public void skip(Page page, int values) {
        deltas.skip(values);
    }

    @Override
    public void close() {}
}
