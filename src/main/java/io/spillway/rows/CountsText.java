package io.spillway.rows;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * What a source has learnt, as text: base64, unpadded, of
 *
 * <pre>
 *   version, checksum of what the source is, then for each list of parts, from the bottom up:
 *     rows that there are at least, number of parts to learn, and for each of those
 *       1 if all of it is known, else 0; number of places, and for each of these
 *         input row and output row, as differences from the place before
 *   checksum of all that
 * </pre>
 *
 * in the variable-length integers of Protocol Buffers (seven bits a byte, the lowest first).
 */
final class CountsText {

    private static final int VERSION = 1;

    private CountsText() {}

    static @Nullable String write(RowSource source) {
        List<RowPlaces> learnt = Learnt.of(source);
        if (learnt.isEmpty()
                || source.rowCount().isEmpty()
                || source.rowsPlaced() < source.rowCount().getAsLong()) {
            return null;
        }
        VarintWriter out = new VarintWriter();
        out.write(VERSION);
        out.write(Learnt.shape(source));
        for (RowPlaces places : learnt) {
            out.write(places.atLeast());
            List<Checkpoints> parts = toLearn(places);
            out.write(parts.size());
            parts.forEach(part -> write(part, out));
        }
        CRC32C checksum = new CRC32C();
        checksum.update(out.bytes());
        out.write(checksum.getValue());
        return Base64.getEncoder().withoutPadding().encodeToString(out.bytes());
    }

    private static void write(Checkpoints part, VarintWriter out) {
        // In this order: a part that gets complete meanwhile only has more places.
        boolean complete = part.isComplete();
        Place[] places = part.places();
        out.write(complete ? 1 : 0);
        out.write(places.length);
        Place last = Place.START;
        for (Place place : places) {
            out.write(place.in() - last.in());
            out.write(place.out() - last.out());
            last = place;
        }
    }

    static void read(RowSource source, String text) {
        List<RowPlaces> learnt = Learnt.of(source);
        List<Runnable> lessons = new ArrayList<>();
        try {
            byte[] bytes = Base64.getDecoder().decode(text.getBytes(StandardCharsets.ISO_8859_1));
            VarintReader in = new VarintReader(bytes);
            check(in.read() == VERSION, "its version is another");
            check(in.read() == Learnt.shape(source), "it is of another plan");
            for (RowPlaces places : learnt) {
                long atLeast = in.read();
                lessons.add(() -> places.seen(atLeast));
                List<Checkpoints> parts = toLearn(places);
                check(in.read() == parts.size(), "it is of other partitions");
                for (Checkpoints part : parts) {
                    read(part, in, lessons);
                }
            }
            CRC32C checksum = new CRC32C();
            checksum.update(bytes, 0, in.position());
            check(in.read() == checksum.getValue() && in.atEnd(), "its checksum is wrong");
        } catch (IllegalArgumentException e) {
            throw new SpillwayException(
                    ErrorCode.INTERNAL,
                    "The row counts that were kept cannot be used: " + e.getMessage(),
                    e);
        }
        lessons.forEach(Runnable::run);
    }

    private static void read(Checkpoints part, VarintReader in, List<Runnable> lessons) {
        boolean complete = in.read() == 1;
        long count = in.read();
        check(count >= 0 && count <= Checkpoints.MAX, "it has too many places");
        long row = 0;
        long rowsOut = 0;
        for (long i = 0; i < count; i++) {
            row += in.read();
            rowsOut += in.read();
            check(row >= 0 && rowsOut >= 0, "a place is not valid");
            Place place = new Place(row, rowsOut);
            lessons.add(() -> part.reached(place.in(), place.out()));
        }
        if (complete) {
            Place end = new Place(row, rowsOut);
            lessons.add(() -> part.finished(end.in(), end.out()));
        }
    }

    private static List<Checkpoints> toLearn(RowPlaces places) {
        return places.parts().stream()
                .filter(Checkpoints.class::isInstance)
                .map(Checkpoints.class::cast)
                .toList();
    }

    private static void check(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalArgumentException(otherwise);
        }
    }
}
