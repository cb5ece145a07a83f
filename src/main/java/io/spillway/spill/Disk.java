package io.spillway.spill;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** What spill files need of a disk. Any call may fail, and a write or read may be short. */
interface Disk {

    /** An open file. Thread-safe as far as a {@link FileChannel} is. */
    interface OpenFile extends Closeable {

        /** Appends some of the remaining bytes. */
        int write(ByteBuffer bytes) throws IOException;

        /** Reads some bytes from a position; -1 at the end of the file. */
        int read(ByteBuffer into, long position) throws IOException;
    }

    /** Makes a file to append to. */
    OpenFile create(Path path) throws IOException;

    OpenFile open(Path path) throws IOException;

    /** Deletes a file if it is there. */
    void delete(Path path) throws IOException;

    /** The machine's own. */
    Disk LOCAL =
            new Disk() {
                @Override
                public OpenFile create(Path path) throws IOException {
                    return new LocalFile(
                            FileChannel.open(
                                    path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE));
                }

                @Override
                public OpenFile open(Path path) throws IOException {
                    return new LocalFile(FileChannel.open(path, StandardOpenOption.READ));
                }

                @Override
                public void delete(Path path) throws IOException {
                    Files.deleteIfExists(path);
                }
            };

    /** A file by its channel. */
    record LocalFile(FileChannel channel) implements OpenFile {

        @Override
        public int write(ByteBuffer bytes) throws IOException {
            return channel.write(bytes);
        }

        @Override
        public int read(ByteBuffer into, long position) throws IOException {
            return channel.read(into, position);
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }
}
