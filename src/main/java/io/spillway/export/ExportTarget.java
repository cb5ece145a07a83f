package io.spillway.export;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.plan.document.ExportRequest;
import io.spillway.storage.Existing;
import io.spillway.storage.FileSystemAccess;
import io.spillway.storage.FileWriter;
import io.spillway.storage.FolderWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The files of one attempt at an export, hidden until all of them are whole: one file, or a folder
 * of them that ends with the empty file {@code _SUCCESS}. Waits for the file system; not
 * thread-safe.
 */
final class ExportTarget implements AutoCloseable {

    /** What a folder has last, as Hadoop's writers put it there; readers leave such names out. */
    private static final String SUCCESS = "_SUCCESS";

    /** An object store has as many uploads open at once. */
    static final int MOST_FILES = 1_000;

    private final FileSystemAccess files;
    private final String uri;
    private final ExportRequest request;
    private final String tag;
    private final List<ExportedFile> ended = new ArrayList<>();
    private @Nullable FolderWriter folder;
    private @Nullable FileWriter file;

    /**
     * Writes nothing yet.
     *
     * @param uri of the file or folder
     * @param tag of the attempt
     */
    ExportTarget(FileSystemAccess files, String uri, ExportRequest request, String tag) {
        this.files = files;
        this.uri = uri;
        this.request = request;
        this.tag = tag;
    }

    /** Begins the next file. */
    FileWriter begin() {
        FileWriter next;
        if (request.isFolder()) {
            if (ended.size() == MOST_FILES) {
                throw new SpillwayException(
                                ErrorCode.NOT_SUPPORTED,
                                "The export would have more than %,d files: allow larger ones"
                                        .formatted(MOST_FILES))
                        .with(SpillwayException.LIMIT, MOST_FILES);
            }
            next = folder().create(name());
        } else {
            next = files.create(uri, tag, request.overwrite() ? Existing.REPLACE : Existing.KEEP);
        }
        file = next;
        return next;
    }

    private FolderWriter folder() {
        FolderWriter open = folder;
        if (open == null) {
            open = files.createFolder(uri, tag);
            folder = open;
        }
        return open;
    }

    private String name() {
        return "part-%05d.parquet".formatted(ended.size());
    }

    /** The file that was begun has all that it is to have. */
    void end(long rows) {
        FileWriter whole = Objects.requireNonNull(file);
        ended.add(
                new ExportedFile(
                        request.isFolder() ? uri + "/" + name() : uri, rows, whole.position()));
        if (request.isFolder()) {
            whole.commit();
            whole.close();
            file = null;
        }
    }

    /** The files so far. */
    List<ExportedFile> ended() {
        return ended;
    }

    /** Makes everything visible. */
    void commit() {
        if (!request.isFolder()) {
            Objects.requireNonNull(file).commit();
            return;
        }
        try (FileWriter success = folder().create(SUCCESS)) {
            success.commit();
        }
        folder().commit();
    }

    /** Deletes files that became visible without the others, as an object store may leave them. */
    static void deleteVisible(FileSystemAccess files, List<ExportedFile> some) {
        for (ExportedFile file : some) {
            if (isVisible(files, List.of(file))) {
                files.delete(file.uri());
            }
        }
    }

    /** Whether all files that were to become visible are. */
    static boolean isVisible(FileSystemAccess files, List<ExportedFile> wanted) {
        try {
            return wanted.stream()
                    .allMatch(file -> files.status(file.uri()).size() == file.bytes());
        } catch (SpillwayException e) {
            if (e.code() == ErrorCode.FILE_NOT_FOUND) {
                return false;
            }
            throw e;
        }
    }

    /** Gives up what is not visible; leaves nothing behind. */
    @Override
    public void close() {
        FileWriter open = file;
        file = null;
        FolderWriter all = folder;
        folder = null;
        try {
            if (open != null) {
                open.close();
            }
        } finally {
            if (all != null) {
                all.close();
            }
        }
    }
}
