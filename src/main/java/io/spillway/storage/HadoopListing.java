package io.spillway.storage;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collections;
import java.util.Iterator;
import java.util.function.Consumer;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;

/** Finds files of a Hadoop file system by pattern. */
final class HadoopListing {

    private HadoopListing() {}

    /**
     * By one listing of everything below the folder, in pages: for object stores, which have no
     * folders, and where a request for each name that looks like one would take far longer.
     *
     * <p>A client normalises the paths it makes of keys, so that the key {@code a/../b} would come
     * out as the path of another object; what does not stand below the folder is left out.
     */
    static void flat(
            FileSystem client, Path folder, GlobPattern pattern, Consumer<FileStatus> found)
            throws IOException {
        String below = folder.toUri().getPath();
        String prefix = below.endsWith("/") ? below : below + "/";
        GlobPattern.Progress start = pattern.start();
        RemoteIterator<LocatedFileStatus> files = client.listFiles(folder, true);
        while (files.hasNext()) {
            FileStatus file = files.next();
            String path = file.getPath().toUri().getPath();
            if (path.startsWith(prefix) && matches(start, path, prefix.length())) {
                found.accept(file);
            }
        }
    }

    private static boolean matches(GlobPattern.Progress start, String path, int from) {
        GlobPattern.Progress progress = start;
        int at = from;
        while (at <= path.length() && !progress.isDead()) {
            int slash = path.indexOf('/', at);
            int end = slash < 0 ? path.length() : slash;
            progress = progress.into(path.substring(at, end));
            at = end + 1;
        }
        return progress.isMatch();
    }

    /** Folder by folder, where that costs little and leaves out what cannot match. */
    static void byFolder(
            FileSystem client, Path folder, GlobPattern pattern, Consumer<FileStatus> found)
            throws IOException {
        try {
            TreeWalk.find(
                    new Entry(client, client.getFileStatus(folder)),
                    pattern,
                    entry -> found.accept(entry.status()));
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private record Entry(FileSystem client, FileStatus status) implements TreeWalk.Entry<Entry> {

        @Override
        public String name() {
            return status.getPath().getName();
        }

        @Override
        public boolean isFile() {
            return status.isFile();
        }

        @Override
        public boolean isFolder() {
            return status.isDirectory();
        }

        @Override
        public Object identity() {
            return status.getPath();
        }

        @Override
        public Iterator<Entry> children() throws IOException {
            try {
                return new Children(client, client.listStatusIterator(status.getPath()));
            } catch (FileNotFoundException e) {
                return Collections.emptyIterator();
            }
        }
    }

    private record Children(FileSystem client, RemoteIterator<FileStatus> listing)
            implements Iterator<Entry> {

        @Override
        public boolean hasNext() {
            try {
                return listing.hasNext();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public Entry next() {
            try {
                return new Entry(client, listing.next());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
