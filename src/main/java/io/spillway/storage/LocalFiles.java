package io.spillway.storage;

import io.spillway.error.SpillwayException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.commons.io.file.PathUtils;

/**
 * Files of the machine's own file systems, scheme {@code file}. URIs are percent-encoded UTF-8, as
 * {@link FileUris} writes them; an absolute path without a scheme is understood too. The identity
 * of a file is its file key, on POSIX systems device and inode. Symbolic links are followed.
 *
 * <p>Files are read by position, never mapped: a mapped file that is truncated under the reader
 * ends the whole process.
 */
public final class LocalFiles implements FileSystemAccess {

    @Override
    public String scheme() {
        return UriSchemes.FILE;
    }

    @Override
    public FileStatus status(String uri) {
        Path path = FileUris.toPath(uri);
        return status(FileUris.of(path), path);
    }

    @Override
    public List<FileStatus> list(String uri) {
        Path literal = FileUris.toPath(uri);
        List<FileStatus> found = new ArrayList<>();
        try {
            LocalEntry entry = new LocalEntry(literal);
            if (entry.isFile()) {
                add(entry, found);
            } else if (entry.isFolder()) {
                TreeWalk.find(
                        entry,
                        GlobPattern.everythingIn(literal.toString()),
                        file -> add(file, found));
            } else if (GlobPattern.isPattern(FileUris.encodedPath(uri))) {
                GlobPattern glob =
                        GlobPattern.of(FileUris.encodedPath(uri), FileUris.hasScheme(uri), uri);
                Path folder = FileUris.path(glob.folder(), uri);
                TreeWalk.find(new LocalEntry(folder), glob, file -> add(file, found));
            }
        } catch (IOException | DirectoryIteratorException e) {
            throw FileFailures.of(uri, e);
        }
        if (found.isEmpty()) {
            throw FileFailures.noMatch(uri);
        }
        found.sort(Comparator.comparing(FileStatus::uri));
        return found;
    }

    private static void add(LocalEntry file, List<FileStatus> found) {
        BasicFileAttributes attributes = file.attributes();
        if (attributes != null) {
            found.add(status(FileUris.of(file.path()), attributes));
        }
    }

    /**
     * {@inheritDoc}
     *
     * <p>Java tells nothing of an open file but its size, so the path is what is looked at, when
     * the file is pinned and by {@link RangeReader#status} after it is opened: if both looks see
     * one file, that is the file which is open.
     */
    @Override
    public RangeReader open(FileStatus pinned) {
        Path path = FileUris.toPath(pinned.uri());
        try {
            FileChannel channel = FileChannel.open(path, StandardOpenOption.READ);
            return new LocalRangeReader(pinned.uri(), path, channel);
        } catch (IOException e) {
            throw FileFailures.of(pinned.uri(), e);
        }
    }

    @Override
    public FileWriter create(String uri, String tag, Existing existing) {
        Path path = FileUris.toPath(uri);
        return LocalFileWriter.open(FileUris.of(path), path, tag, existing);
    }

    @Override
    public FolderWriter createFolder(String uri, String tag) {
        Path target = FileUris.toPath(uri);
        Path hidden = hidden(target, tag);
        return new StagedFolder(this, FileUris.of(hidden), () -> rename(uri, hidden, target));
    }

    private static Path hidden(Path target, String tag) {
        return target.resolveSibling(HiddenNames.of(String.valueOf(target.getFileName()), tag));
    }

    private static void rename(String uri, Path hidden, Path target) {
        try {
            // An empty folder would be replaced; that nothing is there holds for it, too.
            if (Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
                throw WriteFailures.exists(uri);
            }
            Files.move(hidden, target, StandardCopyOption.ATOMIC_MOVE);
            LocalFileWriter.syncFolder(target);
        } catch (IOException e) {
            throw WriteFailures.of(uri, e);
        }
    }

    @Override
    public void abandon(String uri, String tag) {
        delete(FileUris.of(hidden(FileUris.toPath(uri), tag)));
    }

    @Override
    public boolean exists(String uri) {
        return Files.exists(FileUris.toPath(uri), LinkOption.NOFOLLOW_LINKS);
    }

    @Override
    public void delete(String uri) {
        Path path = FileUris.toPath(uri);
        try {
            if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
                PathUtils.delete(path);
            }
        } catch (IOException e) {
            throw WriteFailures.of(uri, e);
        }
    }

    @Override
    public ReadProfile profile() {
        return ReadProfile.LOCAL;
    }

    /**
     * The state of the regular file that a path leads to.
     *
     * @throws SpillwayException {@code FILE_NOT_FOUND} for whatever is no regular file
     */
    static FileStatus status(String uri, Path path) {
        try {
            BasicFileAttributes a = Files.readAttributes(path, BasicFileAttributes.class);
            if (!a.isRegularFile()) {
                throw FileFailures.unusable(
                        uri, a.isDirectory() ? "is a folder" : "is not a regular file", null);
            }
            return status(uri, a);
        } catch (IOException e) {
            throw FileFailures.of(uri, e);
        }
    }

    private static FileStatus status(String uri, BasicFileAttributes a) {
        Object key = a.fileKey();
        return new FileStatus(
                uri,
                a.size(),
                a.lastModifiedTime().toMillis(),
                key == null ? null : key.toString());
    }
}
