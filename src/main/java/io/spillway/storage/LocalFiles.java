package io.spillway.storage;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/**
 * Files of the machine's own file systems, scheme {@code file}. URIs are percent-encoded UTF-8, as
 * {@link FileUris} writes them; an absolute path without a scheme is understood too. The identity
 * of a file is its file key, on POSIX systems device and inode.
 *
 * <p>Files are read by position, never mapped: a mapped file that is truncated under the reader
 * ends the whole process.
 */
public final class LocalFiles implements FileSystemAccess {

    /** How often {@link #open} tries to meet a path that is not replaced while it is opened. */
    private static final int OPEN_ATTEMPTS = 3;

    @Override
    public String scheme() {
        return FileUris.SCHEME;
    }

    @Override
    public FileStatus status(String uri) {
        Path path = FileUris.toPath(uri);
        return status(FileUris.of(path), path);
    }

    @Override
    public List<FileStatus> list(String uri) {
        List<Path> paths = FileGlob.expand(uri);
        List<FileStatus> found = new ArrayList<>(paths.size());
        for (Path path : paths) {
            found.add(status(FileUris.of(path), path));
        }
        if (found.isEmpty()) {
            throw new SpillwayException(ErrorCode.FILE_NOT_FOUND, "No file matches '" + uri + "'")
                    .with(SpillwayException.FILE, uri);
        }
        found.sort(Comparator.comparing(FileStatus::uri));
        return found;
    }

    /**
     * {@inheritDoc}
     *
     * <p>Java tells nothing of an open file but its size, so the path is looked at before and after
     * opening: if both looks see one file, that is the file which is open.
     */
    @Override
    public RangeReader open(String uri) {
        Path path = FileUris.toPath(uri);
        String name = FileUris.of(path);
        for (int i = 0; ; i++) {
            FileStatus before = status(name, path);
            FileChannel channel;
            try {
                channel = FileChannel.open(path, StandardOpenOption.READ);
            } catch (IOException e) {
                throw failed(name, e);
            }
            try {
                FileStatus after = status(name, path);
                if (Objects.equals(before.identity(), after.identity()) || i == OPEN_ATTEMPTS) {
                    return new LocalRangeReader(name, path, channel);
                }
                channel.close();
            } catch (IOException | RuntimeException e) {
                throw closing(channel, failed(name, e));
            }
        }
    }

    /** The state of the regular file that a path leads to. */
    static FileStatus status(String uri, Path path) {
        BasicFileAttributes a;
        try {
            a = Files.readAttributes(path, BasicFileAttributes.class);
        } catch (IOException e) {
            throw failed(uri, e);
        }
        if (!a.isRegularFile()) {
            throw new SpillwayException(
                            ErrorCode.FILE_NOT_FOUND,
                            a.isDirectory()
                                    ? "'" + uri + "' is a folder"
                                    : "'" + uri + "' is not a regular file")
                    .with(SpillwayException.FILE, uri);
        }
        Object key = a.fileKey();
        return new FileStatus(
                uri, a.size(), a.lastModifiedTime().toMillis(), key == null ? null : "" + key);
    }

    /** The typed form of what went wrong with a file; what is typed already stays as it is. */
    static SpillwayException failed(String uri, Exception cause) {
        return switch (cause) {
            case SpillwayException typed -> typed;
            case NoSuchFileException e -> notFound(uri, e);
            case NotDirectoryException e -> notFound(uri, e);
            default ->
                    new SpillwayException(
                                    ErrorCode.READ_FAILED,
                                    "'"
                                            + uri
                                            + "' could not be read ("
                                            + cause.getClass().getSimpleName()
                                            + ")",
                                    cause)
                            .with(SpillwayException.FILE, uri);
        };
    }

    private static SpillwayException notFound(String uri, Exception cause) {
        return new SpillwayException(
                        ErrorCode.FILE_NOT_FOUND, "'" + uri + "' does not exist", cause)
                .with(SpillwayException.FILE, uri);
    }

    private static SpillwayException closing(FileChannel channel, SpillwayException failure) {
        try {
            channel.close();
        } catch (IOException e) {
            failure.addSuppressed(e);
        }
        return failure;
    }
}
