package io.spillway.storage;

import java.util.List;
import java.util.UUID;

/**
 * One kind of file system. Thread-safe. All methods may wait for disk or network: never call them
 * on an event loop.
 */
public interface FileSystemAccess {

    /** The URI scheme it serves, for example {@code file}. */
    String scheme();

    /**
     * The current state of a file, symbolic links followed.
     *
     * @throws io.spillway.error.SpillwayException {@code FILE_NOT_FOUND}, or {@code READ_FAILED}
     */
    FileStatus status(String uri);

    /**
     * The regular files that a URI stands for: itself, the files in and below a folder, or the
     * matches of a glob, sorted by URI in code-point order. Names that start with {@code _} or
     * {@code .} are left out unless the URI names them. A URI that exists as it stands is taken
     * literally, whatever glob characters it has.
     *
     * @throws io.spillway.error.SpillwayException {@code FILE_NOT_FOUND} if there is none
     */
    List<FileStatus> list(String uri);

    /**
     * Opens a file for ranged reads of the state that was pinned. Whether it still is in that state
     * is told by {@link RangeReader#status}, or by the reads: opening need not look, and on an
     * object store asks nothing.
     *
     * @throws io.spillway.error.SpillwayException {@code FILE_NOT_FOUND}, {@code READ_FAILED},
     *     {@code SOURCE_CHANGED} if it is seen here already
     */
    RangeReader open(FileStatus pinned);

    /**
     * Writes a file, which is to be seen when it is whole; folders that are missing are made.
     *
     * @throws io.spillway.error.SpillwayException {@code FILE_ACCESS_DENIED}, {@code DISK_FULL},
     *     {@code WRITE_FAILED}
     */
    default FileWriter create(String uri) {
        return create(uri, UUID.randomUUID().toString(), Existing.REPLACE);
    }

    /**
     * As {@link #create(String)}, for one who may die: whoever knows the tag can {@linkplain
     * #abandon clean up} then.
     *
     * @param tag letters, digits and {@code -}; no two writers of a URI have the same
     * @param existing decides when the file is committed; object stores may find one that comes at
     *     the same moment too late
     */
    FileWriter create(String uri, String tag, Existing existing);

    /**
     * Writes a folder of files, which is to be seen when it is whole. Nothing may be there by then.
     *
     * @param tag as for {@link #create(String, String, Existing)}
     * @throws io.spillway.error.SpillwayException as {@link #create(String)}
     */
    FolderWriter createFolder(String uri, String tag);

    /**
     * Deletes what a writer of a file or folder has left that was not seen yet; on an object store
     * all unfinished uploads of these names. Nothing if there is nothing.
     *
     * @throws io.spillway.error.SpillwayException {@code FILE_ACCESS_DENIED}, {@code WRITE_FAILED}
     */
    void abandon(String uri, String tag);

    /**
     * Whether there is a file or folder, whatever it holds.
     *
     * @throws io.spillway.error.SpillwayException {@code READ_FAILED}
     */
    boolean exists(String uri);

    /**
     * Deletes a file, or a folder with all that is in it; nothing if there is none.
     *
     * @throws io.spillway.error.SpillwayException {@code FILE_ACCESS_DENIED}, {@code WRITE_FAILED}
     */
    void delete(String uri);

    /** How it likes to be read; always the same. */
    ReadProfile profile();
}
