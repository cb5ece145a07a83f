package io.spillway.storage;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A path of the local file system, looked at once, links followed. */
final class LocalEntry implements TreeWalk.Entry<LocalEntry> {

    private final Path path;
    private @Nullable BasicFileAttributes attributes;
    private boolean looked;

    LocalEntry(Path path) {
        this.path = path;
    }

    Path path() {
        return path;
    }

    /** What stands there, or null if nothing does that can be looked at. */
    @Nullable BasicFileAttributes attributes() {
        if (!looked) {
            looked = true;
            try {
                attributes = Files.readAttributes(path, BasicFileAttributes.class);
            } catch (IOException e) {
                attributes = null; // gone, or a link to nowhere
            }
        }
        return attributes;
    }

    @Override
    public String name() {
        return String.valueOf(path.getFileName());
    }

    @Override
    public boolean isFile() {
        BasicFileAttributes a = attributes();
        return a != null && a.isRegularFile();
    }

    @Override
    public boolean isFolder() {
        BasicFileAttributes a = attributes();
        return a != null && a.isDirectory();
    }

    @Override
    public Object identity() throws IOException {
        return path.toRealPath();
    }

    @Override
    public Iterator<LocalEntry> children() throws IOException {
        List<LocalEntry> children = new ArrayList<>();
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(path)) {
            stream.forEach(child -> children.add(new LocalEntry(child)));
        } catch (NoSuchFileException e) {
            return List.<LocalEntry>of().iterator();
        }
        return children.iterator();
    }
}
