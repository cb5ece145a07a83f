package io.spillway.scan.parquet.bytes;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import org.jspecify.annotations.Nullable;

/**
 * Where in a file something is wrong; makes the exceptions that say so.
 *
 * @param rowGroup 0-based, or -1 for the file as a whole
 * @param column its name, or null for all columns
 */
public record Place(String file, int rowGroup, @Nullable String column) {

    /** A file. */
    public static Place of(String file) {
        return new Place(file, -1, null);
    }

    /** Bytes that cannot be what the format asks for. */
    public SpillwayException corrupt(String what) {
        return failure(ErrorCode.FILE_CORRUPT, what, null);
    }

    /** A {@code FILE_CORRUPT} error that names the place. */
    public SpillwayException corrupt(String what, Throwable cause) {
        return failure(ErrorCode.FILE_CORRUPT, what, cause);
    }

    /** Something that the format allows but that is not read; {@code what} names it. */
    public SpillwayException notSupported(String what) {
        return failure(ErrorCode.FILE_NOT_SUPPORTED, what + " is not supported,", null);
    }

    /** An error that names the place. */
    public SpillwayException failure(ErrorCode code, String what, @Nullable Throwable cause) {
        return with(new SpillwayException(code, what + " in " + this, cause));
    }

    /** Adds the place to an exception that does not have it yet. */
    public SpillwayException with(SpillwayException e) {
        return e.with(SpillwayException.FILE, file)
                .with(SpillwayException.ROW_GROUP, rowGroup < 0 ? null : rowGroup)
                .with(SpillwayException.COLUMN, column);
    }

    @Override
    public String toString() {
        return (column == null ? "" : "column '" + column + "', ")
                + (rowGroup < 0 ? "" : "row group " + rowGroup + " of ")
                + "'"
                + file
                + "'";
    }
}
