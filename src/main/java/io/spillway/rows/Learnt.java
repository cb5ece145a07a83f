package io.spillway.rows;

import io.spillway.operator.Operator;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.zip.CRC32C;

/** Walks over a source and those it is made of. */
final class Learnt {

    private final CRC32C shape = new CRC32C();
    private final List<RowPlaces> places = new ArrayList<>();
    private final IdentityHashMap<Operator, byte[]> texts = new IdentityHashMap<>();

    private Learnt() {}

    /** Where a source and those below it keep what they learn, from the bottom up. */
    static List<RowPlaces> of(RowSource source) {
        Learnt walk = new Learnt();
        walk.collect(source);
        return walk.places;
    }

    /** A checksum of all that decides how many rows there are and where. */
    static long shape(RowSource source) {
        Learnt walk = new Learnt();
        walk.describe(source);
        return walk.shape.getValue();
    }

    private void collect(RowSource source) {
        switch (source) {
            case PartitionedSource parts -> {
                if (!parts.isExact()) {
                    places.add(parts.places());
                }
            }
            case SerialSource serial -> {
                collect(serial.input());
                places.add(serial.places());
            }
            case MappedSource mapped -> collect(mapped.input());
            case LimitSource limit -> collect(limit.input());
            case SampleSource sample -> collect(sample.input());
            case RepartitionSource parts -> collect(parts.input());
            case SpooledSource spooled -> {
                RowSource built = spooled.built();
                if (built != null) {
                    collect(built);
                }
            }
            case UnionSource union -> union.inputs().forEach(this::collect);
        }
    }

    private void describe(RowSource source) {
        switch (source) {
            case PartitionedSource parts -> {
                number('p', parts.chains().size());
                for (Chain chain : parts.chains()) {
                    number('r', chain.part().rows());
                    for (Chain.Placed placed : chain.operators()) {
                        text(placed.operator());
                        number('f', placed.firstRow());
                    }
                }
            }
            case SerialSource serial -> {
                describe(serial.input());
                text(serial.operator());
            }
            case MappedSource mapped -> {
                describe(mapped.input());
                text(mapped.operator());
            }
            case LimitSource limit -> {
                describe(limit.input());
                number('o', limit.offset());
                number('l', limit.rows());
            }
            case SampleSource sample -> {
                describe(sample.input());
                number('s', sample.choice().rows());
            }
            case RepartitionSource parts -> describe(parts.input());
            case SpooledSource spooled -> {
                RowSource built = spooled.built();
                if (built != null) {
                    describe(built);
                }
            }
            case UnionSource union -> {
                union.inputs().forEach(this::describe);
                number('u', union.inputs().size());
            }
        }
    }

    private void number(char kind, long value) {
        shape.update((kind + Long.toString(value) + "\n").getBytes(StandardCharsets.UTF_8));
    }

    /** Operators are records, so their texts are what they are; most parts share theirs. */
    private void text(Operator operator) {
        byte[] bytes =
                texts.computeIfAbsent(operator, o -> (o + "\n").getBytes(StandardCharsets.UTF_8));
        shape.update(bytes);
    }
}
