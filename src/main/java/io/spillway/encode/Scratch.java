package io.spillway.encode;

/** What the columns of one encoder use one after the other while a block is encoded. */
final class Scratch {

    /** The values of the column in hand. */
    final ValueBlock values = new ValueBlock(TextRows.BLOCK_BYTES);

    /** The texts of the block's values that are in no dictionary's texts; with {@link Literals}. */
    final TextBuffer texts = Literals.buffer(TextRows.BLOCK_BYTES);

    /** The block's indices into the dictionary of the column in hand. */
    final int[] indices = new int[ValueBlock.ROWS];

    /** The block's values of several columns, as one number each. */
    final int[] numbers = new int[ValueBlock.ROWS];

    final int[] positions = new int[ValueBlock.ROWS];
    final long[] spans = new long[ValueBlock.ROWS];

    /** Positions of all values of a block. */
    private final int[] all = new int[ValueBlock.ROWS];

    Scratch() {
        for (int i = 0; i < all.length; i++) {
            all[i] = i;
        }
    }

    int[] allPositions() {
        return all;
    }
}
