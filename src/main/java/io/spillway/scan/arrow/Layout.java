package io.spillway.scan.arrow;

/**
 * How the values of a field lie in a record batch (Arrow columnar format, "Physical memory
 * layout"), and what is to be done to them.
 */
sealed interface Layout {

    /** Nothing but a length: all values are null. */
    record Nulls() implements Layout {}

    /** Validity, and a bit a value. */
    record Bits() implements Layout {}

    /** Validity, and so many bytes a value. */
    record Fixed(int width, Conversion conversion) implements Layout {}

    /** Validity, offsets of 4 or 8 bytes, and bytes. */
    record Bytes(int offsetWidth) implements Layout {}

    /** Validity, views of 16 bytes, and any number of buffers of bytes. */
    record Views() implements Layout {}

    /** Validity, offsets of 4 or 8 bytes, and a child; maps too. */
    record Elements(int offsetWidth) implements Layout {}

    /** Validity, and a child of so many values for each. */
    record FixedElements(int size) implements Layout {}

    /** Validity, and children side by side. */
    record Fields() implements Layout {}

    /**
     * Any number of buffers and children, which nobody reads.
     *
     * @param current the number of buffers
     * @param old their number in metadata before version 5
     */
    record Unread(int current, int old) implements Layout {}

    /** What becomes of values of a fixed width. */
    enum Conversion {
        NONE,
        /** Milliseconds of whole days to days. */
        DAYS,
        /** Integers of 4, 8 or 32 bytes to 16, which are a decimal's. */
        DECIMAL
    }

    /** Values of so many bytes, as they are. */
    static Layout fixed(int width) {
        return new Fixed(width, Conversion.NONE);
    }

    /**
     * Buffers of the field itself, but for those that views count for themselves.
     *
     * @param isOld whether metadata is of a version before 5
     */
    default int buffers(boolean isOld) {
        return switch (this) {
            case Nulls _ -> 0;
            case Bits _, Fixed _, Views _, Elements _ -> 2;
            case Bytes _ -> 3;
            case FixedElements _, Fields _ -> 1;
            case Unread(int current, int old) -> isOld ? old : current;
        };
    }

    /** Bytes of an offset, of a layout that has them. */
    default int offsetWidth() {
        return switch (this) {
            case Bytes(int width) -> width;
            case Elements(int width) -> width;
            case Nulls _, Bits _, Fixed _, Views _, FixedElements _, Fields _, Unread _ ->
                    throw new IllegalStateException("there are no offsets: " + this);
        };
    }
}
