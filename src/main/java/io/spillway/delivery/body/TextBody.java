package io.spillway.delivery.body;

import io.spillway.batch.RecordBatch;
import io.spillway.encode.BatchEncoders;
import io.spillway.encode.EncodedChunk;
import io.spillway.encode.MeasuredRows;
import io.spillway.error.SpillwayException;
import io.spillway.group.Cut;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A body of text: what the pieces of its form make of the batch. Rows are written a window at a
 * time, for each slot by itself, straight from the vectors; if the body's bytes are limited, it is
 * measured what they take, and texts of rows that do not belong to it are thrown away.
 *
 * <pre>
 *   window of rows ─▶ slot 1: chunk │ chunk │ …        text, slot 1, text, slot 2, text ─▶ parts
 *                  ─▶ slot 2: chunk │ …
 * </pre>
 */
final class TextBody implements BodyWriter {

    /** About what one call makes, so that turns stay short. */
    private static final int WINDOW_BYTES = 4 * BatchEncoders.CHUNK_BYTES;

    /** Rows of a window while it is not known what rows take. */
    private static final int FIRST_ROWS = 16;

    private final BodyForm form;
    private final @Nullable Links links;
    private final Slots slots;
    private final Rows rows;
    private final List<List<EncodedChunk>> chunks = new ArrayList<>();
    private long held;
    private @Nullable SpillwayException reason;

    TextBody(BodyForm form, @Nullable Links links, Slots slots, Rows rows) {
        this.form = form;
        this.links = links;
        this.slots = slots;
        this.rows = rows;
        slots.writers().forEach(slot -> chunks.add(new ArrayList<>()));
    }

    @Override
    public long need(RecordBatch batch) {
        if (reason != null) {
            return 0;
        }
        double likely = Math.max(slots.meanRow(), (double) batch.bytes() / batch.rowCount());
        int window = window(Math.min(batch.rowCount(), rows.left()));
        return held
                + slots.writers().size() * (long) BatchEncoders.CHUNK_BYTES
                + (long) (likely * window);
    }

    /** How many of so many rows are looked at together. */
    private int window(long most) {
        double mean = slots.meanRow();
        if (mean == 0) {
            return (int) (chunks.isEmpty() ? most : Math.min(most, FIRST_ROWS));
        }
        double bytes =
                rows.areMeasured()
                        // Each slot's texts are to fit a chunk.
                        ? Math.min(rows.bytesLeft() + mean, BatchEncoders.CHUNK_BYTES / 2.0)
                        : WINDOW_BYTES;
        return (int) Math.min(most, (long) Math.max(1, bytes / mean));
    }

    @Override
    public int add(RecordBatch batch, long first, int from, int to) {
        int end = from + window(Math.min(to - from, rows.left()));
        return rows.areMeasured()
                ? measured(batch, first, from, end)
                : plain(batch, first, from, end);
    }

    private int plain(RecordBatch batch, long first, int from, int to) {
        int count = 0;
        while (count < to - from && rows.add(0, weight(batch, from + count))) {
            count++;
        }
        if (reason == null && count > 0) {
            try {
                write(batch, from, from + count);
            } catch (SpillwayException e) {
                spoil(moved(e, first));
            }
        }
        return count;
    }

    private void write(RecordBatch batch, int from, int to) {
        long before = held;
        for (int slot = 0; slot < chunks.size(); slot++) {
            int at = from;
            while (at < to) {
                MeasuredRows made =
                        slots.writers().get(slot).write(batch, at, to, slots.allocator());
                at += made.rows();
                keep(slot, made.take(made.rows()));
            }
        }
        slots.took(to - from, held - before);
    }

    private int measured(RecordBatch batch, long first, int from, int to) {
        int end = to;
        while (true) {
            try {
                return measuredOrThrow(batch, from, end);
            } catch (SpillwayException e) {
                spoil(moved(e, first));
                if (end - from == 1) {
                    // A row that has no text takes no bytes.
                    return rows.add(0, weight(batch, from)) ? 1 : 0;
                }
                end = from + fewer(e, from, end);
            }
        }
    }

    /** How many rows to try again, fewer than before: those in front of the bad one, or half. */
    private static int fewer(SpillwayException failure, int from, int to) {
        int good =
                failure.context().get(SpillwayException.ROW) instanceof Number row
                        ? row.intValue() - from
                        : (to - from) / 2;
        return Math.clamp(good, 1, to - from - 1);
    }

    private int measuredOrThrow(RecordBatch batch, int from, int to) {
        List<MeasuredRows> made = new ArrayList<>(chunks.size());
        try {
            int most = to - from;
            for (SlotWriter writer : slots.writers()) {
                MeasuredRows texts = writer.write(batch, from, from + most, slots.allocator());
                made.add(texts);
                most = texts.rows();
            }
            int count = 0;
            long bytes = 0;
            while (count < most) {
                long size = size(made, count);
                if (!rows.add(size, weight(batch, from + count))) {
                    break;
                }
                bytes += size;
                count++;
            }
            if (count > 0) {
                slots.took(count, bytes);
                if (reason == null) {
                    keep(made, count);
                }
            }
            return count;
        } finally {
            made.forEach(MeasuredRows::close);
        }
    }

    /** Bytes of a row in all slots. */
    private static long size(List<MeasuredRows> made, int row) {
        long size = 0;
        for (MeasuredRows texts : made) {
            size += texts.end(row) - (row == 0 ? 0 : texts.end(row - 1));
        }
        return size;
    }

    private void keep(List<MeasuredRows> made, int count) {
        for (int slot = 0; slot < chunks.size(); slot++) {
            keep(slot, made.get(slot).take(count));
        }
        made.clear();
    }

    private void keep(int slot, EncodedChunk chunk) {
        chunks.get(slot).add(chunk);
        held += chunk.bytes().capacity();
    }

    private double weight(RecordBatch batch, int row) {
        int column = rows.weightColumn();
        return column < 0 ? 0 : slots.weights(batch, column)[row];
    }

    /** The encoder names the row in its batch; clients know rows by number. */
    private static SpillwayException moved(SpillwayException failure, long first) {
        return failure.context().get(SpillwayException.ROW) instanceof Number row
                ? failure.movedTo(SpillwayException.ROW, first + row.longValue())
                : failure;
    }

    @Override
    public boolean isComplete() {
        return rows.areComplete();
    }

    @Override
    public void spoil(SpillwayException why) {
        if (reason == null) {
            reason = why;
        }
        close();
    }

    @Override
    public @Nullable SpillwayException spoilt() {
        return reason;
    }

    @Override
    public @Nullable Cut cut() {
        return rows.cut();
    }

    @Override
    public Body finish(Cut cut, Allowance memory) {
        BodyParts parts = new BodyParts();
        int slot = 0;
        for (Piece piece : form.pieces()) {
            switch (piece) {
                case Piece.Text(var utf8) -> parts.add(utf8);
                case Piece.Slot(var _, Piece.Layout layout) -> {
                    parts.add(chunks.get(slot), layout.hasCommas());
                    slot++;
                }
                case Piece.Mark(Piece.Field field) -> add(field, cut, parts);
            }
        }
        memory.shrink(held);
        held = 0;
        chunks.forEach(List::clear);
        return parts.body(cut, form.contentType(), memory);
    }

    private void add(Piece.Field field, Cut cut, BodyParts parts) {
        switch (field) {
            case NUMBER -> parts.add(form.number(cut.firstRow()));
            case FIRST_ROW -> parts.add(cut.firstRow());
            case ROWS -> parts.add(cut.rows());
            case LINK -> parts.add(Objects.requireNonNull(links).of(cut.firstRow(), cut.rows()));
        }
    }

    @Override
    public void close() {
        chunks.forEach(
                some -> {
                    some.forEach(EncodedChunk::close);
                    some.clear();
                });
        held = 0;
    }
}
