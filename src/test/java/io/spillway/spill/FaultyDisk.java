package io.spillway.spill;

import io.spillway.expression.Decode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;

/** A disk that fails at the n-th call, in one of several ways; all calls before it are fine. */
public final class FaultyDisk implements Disk {

    /** What becomes of the call that is struck. */
    public enum Fault {

        /** It fails, whatever it is. */
        FAILED,

        /** A write or read does half of what it should; other calls fail. */
        SHORT,

        /** It and all later ones that would take room fail, until the disk is {@link #mended}. */
        FULL,

        /** A bit is another one in what is written or read; other calls fail. */
        FLIPPED
    }

    private final AtomicInteger calls = new AtomicInteger();
    private final int failing;
    private final Fault fault;
    private volatile boolean full;
    private volatile boolean struck;
    private volatile boolean mended;

    /**
     * A disk.
     *
     * @param failing which call, from 0
     */
    public FaultyDisk(int failing, Fault fault) {
        this.failing = failing;
        this.fault = fault;
    }

    /** Spill files on this disk. */
    public SpillManager manager(Path folder) {
        return SpillManager.open(folder, Long.MAX_VALUE, Decode::decode, this);
    }

    /** Whether there were calls enough for the fault. */
    public boolean hasStruck() {
        return struck;
    }

    /** Nothing fails from here on. */
    public void mended() {
        full = false;
        mended = true;
    }

    private boolean isNow() {
        boolean now = calls.getAndIncrement() == failing && !mended;
        if (now) {
            struck = true;
            full = fault == Fault.FULL;
        }
        return now;
    }

    private void strikeCall() throws IOException {
        if (isNow() && fault != Fault.FULL) {
            throw new IOException("Input/output error");
        }
    }

    /** Whether the call is struck in a way that is not to fail. */
    private boolean strikesTransfer() throws IOException {
        boolean now = isNow();
        if (now && fault == Fault.FAILED) {
            throw new IOException("Input/output error");
        }
        return now && fault != Fault.FULL;
    }

    private void room() throws IOException {
        if (full) {
            throw new IOException("No space left on device");
        }
    }

    @Override
    public OpenFile create(Path path) throws IOException {
        strikeCall();
        room();
        return new FaultyFile(LOCAL.create(path));
    }

    @Override
    public OpenFile open(Path path) throws IOException {
        strikeCall();
        return new FaultyFile(LOCAL.open(path));
    }

    @Override
    public void delete(Path path) throws IOException {
        strikeCall();
        LOCAL.delete(path);
    }

    private final class FaultyFile implements OpenFile {

        private final OpenFile file;

        FaultyFile(OpenFile file) {
            this.file = file;
        }

        @Override
        public int write(ByteBuffer bytes) throws IOException {
            boolean strikes = strikesTransfer();
            room();
            if (!strikes) {
                return file.write(bytes);
            }
            if (fault == Fault.SHORT) {
                ByteBuffer part = bytes.slice(bytes.position(), bytes.remaining() / 2 + 1);
                int written = file.write(part);
                bytes.position(bytes.position() + written);
                return written;
            }
            ByteBuffer other = ByteBuffer.allocate(bytes.remaining()).put(bytes).flip();
            flip(other, 0, other.limit());
            while (other.hasRemaining()) {
                file.write(other);
            }
            return other.limit();
        }

        @Override
        public int read(ByteBuffer into, long position) throws IOException {
            boolean strikes = strikesTransfer();
            if (!strikes) {
                return file.read(into, position);
            }
            if (fault == Fault.SHORT) {
                ByteBuffer part = into.slice(into.position(), into.remaining() / 2 + 1);
                int read = file.read(part, position);
                into.position(into.position() + read);
                return read;
            }
            int from = into.position();
            int read = file.read(into, position);
            flip(into, from, read);
            return read;
        }

        /** Another byte at every call, also in what stands before the data. */
        private void flip(ByteBuffer bytes, int from, int length) {
            int at = from + (int) (failing * 2_654_435_761L % length);
            bytes.put(at, (byte) (bytes.get(at) ^ 1 << failing % Byte.SIZE));
        }

        @Override
        public void close() throws IOException {
            try {
                strikeCall();
            } finally {
                file.close();
            }
        }
    }
}
