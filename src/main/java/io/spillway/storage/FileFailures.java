package io.spillway.storage;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import java.io.FileNotFoundException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import org.jspecify.annotations.Nullable;

/**
 * What goes wrong with files, made typed. Messages name the file and the kind of fault and repeat
 * nothing of what a library says, which could hold a part of a credential.
 */
final class FileFailures {

    private FileFailures() {}

    /** The typed form of what went wrong with a file; what is typed already stays as it is. */
    static SpillwayException of(String uri, Throwable cause) {
        return switch (cause) {
            case SpillwayException typed -> typed;
            case NoSuchFileException e -> notFound(uri, e);
            case NotDirectoryException e -> notFound(uri, e);
            case FileNotFoundException e -> notFound(uri, e);
            case AccessDeniedException e -> denied(uri, e);
            case DirectoryIteratorException e when e.getCause() != null -> of(uri, e.getCause());
            default ->
                    failure(
                            ErrorCode.READ_FAILED,
                            uri,
                            "could not be read (" + cause.getClass().getSimpleName() + ")",
                            cause);
        };
    }

    static SpillwayException notFound(String uri, @Nullable Throwable cause) {
        return failure(ErrorCode.FILE_NOT_FOUND, uri, "does not exist", cause);
    }

    static SpillwayException denied(String uri, Throwable cause) {
        return failure(
                ErrorCode.FILE_ACCESS_DENIED,
                uri,
                "may not be read: where it is kept, this service is refused access",
                cause);
    }

    static SpillwayException changed(String uri, Throwable cause) {
        return failure(ErrorCode.SOURCE_CHANGED, uri, "has changed since it was pinned", cause);
    }

    /** A listing that finds nothing. */
    static SpillwayException noMatch(String uri) {
        return new SpillwayException(ErrorCode.FILE_NOT_FOUND, "No file matches '" + uri + "'")
                .with(SpillwayException.FILE, uri);
    }

    /** What can name no file at all. */
    static SpillwayException unusable(String uri, String why, @Nullable Throwable cause) {
        return failure(ErrorCode.FILE_NOT_FOUND, uri, why, cause);
    }

    /** A read beyond a file's end. */
    static SpillwayException tooShort(
            String uri, long end, long missing, @Nullable Throwable cause) {
        return failure(
                ErrorCode.FILE_CORRUPT,
                uri,
                "ends at byte %,d, %,d bytes too early".formatted(end, missing),
                cause);
    }

    private static SpillwayException failure(
            ErrorCode code, String uri, String what, @Nullable Throwable cause) {
        return new SpillwayException(code, "'" + uri + "' " + what, cause)
                .with(SpillwayException.FILE, uri);
    }
}
