package io.spillway.storage;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import java.util.UUID;

/**
 * Writes a hidden file beside the one that it is to be, and gives it its name when it is whole and
 * on the disk.
 */
final class LocalFileWriter implements FileWriter {

    private final String uri;
    private final Path target;
    private final Path hidden;
    private final FileChannel channel;
    private long position;
    private boolean ended;

    private LocalFileWriter(String uri, Path target, Path hidden, FileChannel channel) {
        this.uri = uri;
        this.target = target;
        this.hidden = hidden;
        this.channel = channel;
    }

    /** A writer; makes the folders that are missing. */
    static LocalFileWriter open(String uri, Path target) {
        try {
            Path folder = Objects.requireNonNull(target.getParent(), "a file is in a folder");
            Files.createDirectories(folder);
            Path hidden =
                    folder.resolve("." + target.getFileName() + "." + UUID.randomUUID() + ".tmp");
            FileChannel channel =
                    FileChannel.open(
                            hidden, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW);
            return new LocalFileWriter(uri, target, hidden, channel);
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
            Files.move(
                    hidden,
                    target,
                    StandardCopyOption.ATOMIC_MOVE,
                    StandardCopyOption.REPLACE_EXISTING);
            ended = true;
            syncFolder();
        } catch (IOException e) {
            throw WriteFailures.of(uri, e);
        }
        return LocalFiles.status(uri, target);
    }

    /** So that the name survives a crash too, where the system lets a folder be opened. */
    private void syncFolder() throws IOException {
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
