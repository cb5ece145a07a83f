package io.spillway.storage;

import io.spillway.error.SpillwayException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.apache.hadoop.fs.EtagSource;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StreamCapabilities;
import org.apache.hadoop.fs.s3a.S3AFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.jspecify.annotations.Nullable;

/**
 * Files of one of Hadoop's file systems, by URI scheme: whatever the class path has a client for.
 * URIs are as {@link HadoopUri} writes them.
 *
 * <p>The identity of a file is its etag on an object store and its file number on HDFS; elsewhere
 * size and modification time have to do.
 *
 * <p>S3 objects are read on the condition that they still have their etag, so opening and {@link
 * RangeReader#status} ask nothing, and every read is one request. Elsewhere {@link
 * RangeReader#status} asks for the state of the path.
 */
final class HadoopFiles implements FileSystemAccess {

    /** A request costs tens of milliseconds, in which a line carries megabytes. */
    private static final int GAP_BYTES = 1 << 20;

    private static final int AHEAD_BYTES = 16 << 20;

    /** Listings of object stores tell times to the millisecond, all else to the second. */
    private static final int SECOND = 1000;

    private final String scheme;
    private final HadoopClients clients;
    private final RequestThreads threads;
    private final ReadProfile profile;

    /**
     * @param scheme in its one form
     */
    HadoopFiles(String scheme, HadoopClients clients, RequestThreads threads, int parallelism) {
        this.scheme = scheme;
        this.clients = clients;
        this.threads = threads;
        this.profile = new ReadProfile(parallelism, GAP_BYTES, AHEAD_BYTES);
    }

    @Override
    public String scheme() {
        return scheme;
    }

    @Override
    public ReadProfile profile() {
        return profile;
    }

    @Override
    public FileStatus status(String uri) {
        HadoopUri file = HadoopUri.of(uri);
        return call(
                uri,
                () -> {
                    var status = clients.client(file).getFileStatus(file.path());
                    if (status.isDirectory()) {
                        throw FileFailures.unusable(uri, "is a folder", null);
                    }
                    return pinned(file, status);
                });
    }

    @Override
    public List<FileStatus> list(String uri) {
        HadoopUri location = HadoopUri.of(uri);
        List<FileStatus> found = call(uri, () -> list(location, uri));
        if (found.isEmpty()) {
            throw FileFailures.noMatch(uri);
        }
        found.sort(Comparator.comparing(FileStatus::uri));
        return found;
    }

    private List<FileStatus> list(HadoopUri location, String uri) throws IOException {
        FileSystem client = clients.client(location);
        List<FileStatus> found = new ArrayList<>();
        var literal = look(client, location.path());
        if (literal != null && literal.isFile()) {
            found.add(pinned(location, literal));
        } else if (literal != null) {
            GlobPattern all = GlobPattern.everythingIn(literal.getPath().toUri().getPath());
            find(client, location, all, found);
        } else if (GlobPattern.isPattern(location.encodedPath())) {
            find(client, location, GlobPattern.of(location.encodedPath(), true, uri), found);
        }
        return found;
    }

    static org.apache.hadoop.fs.@Nullable FileStatus look(FileSystem client, Path path)
            throws IOException {
        try {
            return client.getFileStatus(path);
        } catch (FileNotFoundException e) {
            return null;
        }
    }

    private void find(
            FileSystem client, HadoopUri location, GlobPattern pattern, List<FileStatus> found)
            throws IOException {
        Path folder = client.makeQualified(location.path(pattern.folder()));
        Consumer<org.apache.hadoop.fs.FileStatus> add = f -> found.add(pinned(location, f));
        try {
            if (scheme.equals(UriSchemes.S3)) {
                HadoopListing.flat(client, folder, pattern, add);
            } else {
                HadoopListing.byFolder(client, folder, pattern, add);
            }
        } catch (FileNotFoundException e) {
            found.clear(); // the folder is gone, or was never there
        }
    }

    @Override
    public RangeReader open(FileStatus pinned) {
        HadoopUri file = HadoopUri.of(pinned.uri());
        if (scheme.equals(UriSchemes.S3) && pinned.identity() != null) {
            return new ObjectReader(pinned, file, clients, threads);
        }
        return call(
                pinned.uri(),
                () -> new HadoopReader(pinned.uri(), clients.client(file).open(file.path()), this));
    }

    @Override
    public FileWriter create(String uri, String tag, Existing existing) {
        HadoopUri file = HadoopUri.of(uri);
        return write(
                uri,
                () ->
                        HadoopFileWriter.open(
                                this, clients.client(file), uri, file.path(), tag, existing));
    }

    @Override
    public FolderWriter createFolder(String uri, String tag) {
        HadoopUri folder = HadoopUri.of(uri);
        return write(
                uri,
                () -> {
                    FileSystem client = clients.client(folder);
                    if (isUploaded(client, folder.path())) {
                        return new UploadedFolder(this, uri);
                    }
                    Path hidden = hidden(folder, tag);
                    return new StagedFolder(
                            this,
                            folder.uri(hidden),
                            () -> write(uri, () -> rename(uri, client, hidden, folder.path())));
                });
    }

    /**
     * Whether files can be written under their own names, and are not seen until they are whole.
     */
    static boolean isUploaded(FileSystem client, Path path) throws IOException {
        return client.hasPathCapability(path, StreamCapabilities.ABORTABLE_STREAM);
    }

    private static Path hidden(HadoopUri target, String tag) {
        Path path = target.path();
        return new Path(path.getParent(), HiddenNames.of(path.getName(), tag));
    }

    private static boolean rename(String uri, FileSystem client, Path hidden, Path target)
            throws IOException {
        // A folder that is there would take the hidden one in.
        if (look(client, target) != null) {
            throw WriteFailures.exists(uri);
        }
        if (!client.rename(hidden, target)) {
            throw new IOException("could not be renamed");
        }
        return true;
    }

    @Override
    public void abandon(String uri, String tag) {
        HadoopUri target = HadoopUri.of(uri);
        write(
                uri,
                () -> {
                    FileSystem client = clients.client(target);
                    if (!isUploaded(client, target.path())) {
                        return client.delete(hidden(target, tag), true);
                    }
                    if (client instanceof S3AFileSystem objects) {
                        UnfinishedUploads.abort(objects, target.path());
                    }
                    return true;
                });
    }

    @Override
    public boolean exists(String uri) {
        HadoopUri path = HadoopUri.of(uri);
        return call(uri, () -> look(clients.client(path), path.path()) != null);
    }

    @Override
    public void delete(String uri) {
        HadoopUri file = HadoopUri.of(uri);
        write(uri, () -> clients.client(file).delete(file.path(), true));
    }

    /** As {@link #call}, for what writes. */
    <T> T write(String uri, Callable<T> request) {
        try {
            return threads.call(request);
        } catch (Exception e) {
            throw WriteFailures.of(uri, e);
        }
    }

    /** Asks on a thread for that, and makes what goes wrong typed. */
    <T> T call(String uri, Callable<T> request) {
        return call(threads, uri, request);
    }

    static <T> T call(RequestThreads threads, String uri, Callable<T> request) {
        try {
            return threads.call(request);
        } catch (SpillwayException e) {
            throw e;
        } catch (Exception e) {
            throw HadoopFailures.of(uri, e);
        }
    }

    private static FileStatus pinned(HadoopUri location, org.apache.hadoop.fs.FileStatus file) {
        long modified = file.getModificationTime();
        return new FileStatus(
                location.uri(file.getPath()),
                file.getLen(),
                file instanceof EtagSource ? modified - Math.floorMod(modified, SECOND) : modified,
                identity(file));
    }

    private static @Nullable String identity(org.apache.hadoop.fs.FileStatus file) {
        return switch (file) {
            case EtagSource object -> object.getEtag();
            case HdfsFileStatus hdfs -> Long.toString(hdfs.getFileId());
            default -> null;
        };
    }
}
