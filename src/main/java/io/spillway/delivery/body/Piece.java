package io.spillway.delivery.body;

import java.nio.ByteBuffer;
import java.util.List;

/** A part of what the bodies of a delivery consist of, one behind the other. */
sealed interface Piece {

    /**
     * Text that all bodies have.
     *
     * @param utf8 read-only
     */
    record Text(ByteBuffer utf8) implements Piece {}

    /**
     * The rows of the batch, or a part of them.
     *
     * @param columns which columns of the job, in the order in which they are written
     * @param layout how they are
     */
    record Slot(List<Integer> columns, Layout layout) implements Piece {

        public Slot {
            columns = List.copyOf(columns);
        }
    }

    /** What is known of the batch itself. */
    record Mark(Field field) implements Piece {}

    /** How rows are written. */
    enum Layout {
        /** As objects with a comma between them. */
        OBJECTS,
        /** As the values of their only column, with a comma between them. */
        VALUES,
        /** As objects, each with a line feed behind it. */
        LINES;

        /** Whether a comma stands between rows, and so one less than there are rows. */
        boolean hasCommas() {
            return switch (this) {
                case OBJECTS, VALUES -> true;
                case LINES -> false;
            };
        }
    }

    /** What can be said of a batch. */
    enum Field {
        NUMBER("number"),
        FIRST_ROW("firstRow"),
        ROWS("rows"),
        LINK("link");

        private final String word;

        Field(String word) {
            this.word = word;
        }

        /** The word for it in the interface. */
        String word() {
            return word;
        }
    }
}
