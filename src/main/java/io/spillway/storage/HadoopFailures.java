package io.spillway.storage;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import org.apache.hadoop.fs.UnsupportedFileSystemException;
import org.apache.hadoop.fs.s3a.RemoteFileChangedException;
import org.apache.hadoop.fs.s3a.UnknownStoreException;
import org.apache.hadoop.security.AccessControlException;

/** What goes wrong with Hadoop's clients, made typed. */
final class HadoopFailures {

    private HadoopFailures() {}

    static SpillwayException of(String uri, Throwable cause) {
        return switch (cause) {
            case RemoteFileChangedException e -> FileFailures.changed(uri, e);
            case UnknownStoreException e -> FileFailures.notFound(uri, e);
            case AccessControlException e -> FileFailures.denied(uri, e);
            case UnsupportedFileSystemException e ->
                    new SpillwayException(
                                    ErrorCode.NOT_SUPPORTED,
                                    "There is no client for the file system of '" + uri + "'",
                                    e)
                            .with(SpillwayException.FILE, uri);
            // Thrown for names that no bucket or path can have.
            case IllegalArgumentException e ->
                    FileFailures.unusable(uri, "cannot name a file there", e);
            default -> FileFailures.of(uri, cause);
        };
    }
}
