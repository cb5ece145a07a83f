package io.spillway.testing;

import io.spillway.storage.Existing;
import io.spillway.storage.FileStatus;
import io.spillway.storage.FileSystemAccess;
import io.spillway.storage.FileWriter;
import io.spillway.storage.FolderWriter;
import io.spillway.storage.LocalFiles;
import io.spillway.storage.RangeReader;
import io.spillway.storage.ReadProfile;
import java.util.List;

/** Local files as they are: for tests that change some of what they do. */
public abstract class ForwardingFiles implements FileSystemAccess {

    private final LocalFiles files = new LocalFiles();

    @Override
    public String scheme() {
        return files.scheme();
    }

    @Override
    public FileStatus status(String uri) {
        return files.status(uri);
    }

    @Override
    public List<FileStatus> list(String uri) {
        return files.list(uri);
    }

    @Override
    public RangeReader open(FileStatus pinned) {
        return files.open(pinned);
    }

    @Override
    public FileWriter create(String uri, String tag, Existing existing) {
        return files.create(uri, tag, existing);
    }

    @Override
    public FolderWriter createFolder(String uri, String tag) {
        return files.createFolder(uri, tag);
    }

    @Override
    public void abandon(String uri, String tag) {
        files.abandon(uri, tag);
    }

    @Override
    public boolean exists(String uri) {
        return files.exists(uri);
    }

    @Override
    public void delete(String uri) {
        files.delete(uri);
    }

    @Override
    public ReadProfile profile() {
        return files.profile();
    }
}
