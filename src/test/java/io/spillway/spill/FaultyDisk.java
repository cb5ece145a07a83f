package io.spillway.spill;

import io.spillway.expression.Decode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;

/** A disk that fails, or does half of it, at the n-th call. */
public final class FaultyDisk implements Disk {

    private final AtomicInteger calls = new AtomicInteger();
    private final int failing;
    private final boolean half;

    /**
     * A disk.
     *
     * @param failing which call, from 0
     * @param half where that can be, the call does half of what it should rather than fail
     */
    public FaultyDisk(int failing, boolean half) {
        this.failing = failing;
        this.half = half;
    }

    /** Spill files on this disk. */
    public SpillManager manager(Path folder) {
        return SpillManager.open(folder, Long.MAX_VALUE, Decode::decode, this);
    }

    /** Calls so far. */
    public int calls() {
        return calls.get();
    }

    private boolean strikes(boolean canBeHalf) throws IOException {
        boolean now = calls.getAndIncrement() == failing;
        if (now && !(half && canBeHalf)) {
            throw new IOException("No space left on device");
        }
        return now;
    }

    @Override
    public OpenFile create(Path path) throws IOException {
        strikes(false);
        return new FaultyFile(LOCAL.create(path));
    }

    @Override
    public OpenFile open(Path path) throws IOException {
        strikes(false);
        return new FaultyFile(LOCAL.open(path));
    }

    @Override
    public void delete(Path path) throws IOException {
        strikes(false);
        LOCAL.delete(path);
    }

    private final class FaultyFile implements OpenFile {

        private final OpenFile file;

        FaultyFile(OpenFile file) {
            this.file = file;
        }

        @Override
        public int write(ByteBuffer bytes) throws IOException {
            if (strikes(true)) {
                ByteBuffer part = bytes.slice(bytes.position(), bytes.remaining() / 2 + 1);
                int written = file.write(part);
                bytes.position(bytes.position() + written);
                return written;
            }
            return file.write(bytes);
        }

        @Override
        public int read(ByteBuffer into, long position) throws IOException {
            if (strikes(true)) {
                ByteBuffer part = into.slice(into.position(), into.remaining() / 2 + 1);
                int read = file.read(part, position);
                into.position(into.position() + read);
                return read;
            }
            return file.read(into, position);
        }

        @Override
        public void close() throws IOException {
            try {
                strikes(false);
            } finally {
                file.close();
            }
        }
    }
}
