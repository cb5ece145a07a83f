package io.spillway.scan.parquet.footer;

import io.spillway.scan.parquet.bytes.Levels;

/**
 * Which entries of a leaf begin a slot of a node above it, or of the leaf itself.
 *
 * @param repetition of the repeated node around the node, or 0
 * @param definition from which on that repeated node has an element, or 0
 * @param leafRepetition the highest repetition level of the leaf
 * @see ColumnNode
 */
public record Slots(int repetition, int definition, int leafRepetition) {

    /** Whether every entry begins a slot. */
    public boolean all() {
        return repetition == leafRepetition && definition == 0;
    }

    /** The bits of the entries that do, of 64. */
    public long among(long definitions, long repetitions) {
        long there = Levels.atLeast(definitions, definition);
        return repetition == leafRepetition
                ? there
                : there & ~Levels.atLeast(repetitions, repetition + 1);
    }

    /** The slots within the elements of a list or map that has these slots. */
    public Slots within(ColumnNode.Repeated list) {
        return new Slots(list.repetition(), list.elementAt(), leafRepetition);
    }
}
