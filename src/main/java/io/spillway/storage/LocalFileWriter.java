package io.spillway.storage;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Objects;

/**
 * Writes a hidden file beside the one that it is to be, and gives it its name when it is whole and
 * on the disk.
 */
final class LocalFileWriter implements FileWriter {

    private final String uri;
    private final Path target;
    private final Path hidden;
    private final FileChannel channel;
    private final Existing existing;
    private long position;
    private boolean ended;

    private LocalFileWriter(
            String uri, Path target, Path hidden, FileChannel channel, Existing existing) {
        this.uri = uri;
        this.existing = existing;
        this.target = target;
        this.hidden = hidden;
        this.channel = channel;
    }

    /** A writer; makes the folders that are missing. */
    static LocalFileWriter open(String uri, Path target, String tag, Existing existing) {
        try {
            Path folder = Objects.requireNonNull(target.getParent(), "a file is in a folder");
            Files.createDirectories(folder);
            Path hidden = folder.resolve(HiddenNames.of(String.valueOf(target.getFileName()), tag));
            FileChannel channel =
                    FileChannel.open(
                            hidden, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW);
            return new LocalFileWriter(uri, target, hidden, channel, existing);
        } catch (IOException e) {
            throw WriteFailures.of(uri, e);
        }
    }

    @Override
    public long position() {
        return position;
    }

    @Override
    public void write(ByteBuffer bytes) {
        try {
            while (bytes.hasRemaining()) {
                position += channel.write(bytes);
            }
        } catch (IOException e) {
            throw WriteFailures.of(uri, e);
        }
    }

    @Override
    public FileStatus commit() {
        try {
            channel.force(true);
            channel.close();
            switch (existing) {
                case REPLACE -> move();
                case KEEP -> link();
            }
            ended = true;
            syncFolder(target);
        } catch (IOException e) {
            throw WriteFailures.of(uri, e);
        }
        return LocalFiles.status(uri, target);
    }

    private void move() throws IOException {
        Files.move(
                hidden,
                target,
                StandardCopyOption.ATOMIC_MOVE,
                StandardCopyOption.REPLACE_EXISTING);
    }

    /** A link is made only where nothing is; a file system that has none is asked before. */
    private void link() throws IOException {
        try {
            Files.createLink(target, hidden);
        } catch (FileAlreadyExistsException e) {
            throw WriteFailures.exists(uri);
        } catch (IOException | UnsupportedOperationException e) {
            if (Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
                throw WriteFailures.exists(uri);
            }
            move();
            return;
        }
        Files.delete(hidden);
    }

    /** So that a name survives a crash too, where the system lets a folder be opened. */
    static void syncFolder(Path target) throws IOException {
        try (FileChannel folder = FileChannel.open(Objects.requireNonNull(target.getParent()))) {
            folder.force(true);
        }
    }

    @Override
    public void close() {
        if (ended) {
            return;
        }
        ended = true;
        try {
            channel.close();
            Files.deleteIfExists(hidden);
        } catch (IOException e) {
            throw WriteFailures.of(uri, e);
        }
    }
}
