package io.spillway.scan.arrow;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import org.jspecify.annotations.Nullable;

/**
 * Where in a file something is wrong; makes the exceptions that say so.
 *
 * @param batch 0-based number of the record batch, or null for none
 * @param dictionary the id of a dictionary, or null for none
 * @param column its name, or null for all columns
 */
record Place(
        String file, @Nullable Integer batch, @Nullable Long dictionary, @Nullable String column) {

    static Place of(String file) {
        return new Place(file, null, null, null);
    }

    Place inBatch(int number) {
        return new Place(file, number, null, null);
    }

    Place inDictionary(long id) {
        return new Place(file, batch, id, column);
    }

    Place inColumn(String name) {
        return new Place(file, batch, dictionary, name);
    }

    /** Bytes that cannot be what the format asks for. */
    SpillwayException corrupt(String what) {
        return failure(ErrorCode.FILE_CORRUPT, what, null);
    }

    /** Bytes that point to where nothing is, told by whoever looked there. */
    SpillwayException corrupt(RuntimeException cause) {
        return failure(ErrorCode.FILE_CORRUPT, "Metadata is damaged", cause);
    }

    /** Something that the format allows but that is not read; {@code what} names it. */
    SpillwayException notSupported(String what) {
        return failure(ErrorCode.FILE_NOT_SUPPORTED, what + " is not supported,", null);
    }

    /** An error that names the place. */
    SpillwayException failure(ErrorCode code, String what, @Nullable Throwable cause) {
        return with(new SpillwayException(code, what + " in " + this, cause));
    }

    /** Adds the place to an exception that does not have it yet. */
    SpillwayException with(SpillwayException e) {
        return e.with(SpillwayException.FILE, file)
                .with(SpillwayException.RECORD_BATCH, batch)
                .with(SpillwayException.COLUMN, column);
    }

    @Override
    public String toString() {
        return (column == null ? "" : "column '" + column + "', ")
                + (dictionary == null ? "" : "dictionary " + dictionary + ", ")
                + (batch == null ? "" : "record batch " + batch + " of ")
                + "'"
                + file
                + "'";
    }
}
