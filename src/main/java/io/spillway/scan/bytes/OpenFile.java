package io.spillway.scan.bytes;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.scan.ScanMetrics;
import io.spillway.storage.FileStatus;
import io.spillway.storage.FileSystemAccess;
import io.spillway.storage.RangeReader;
import io.spillway.storage.ReadProfile;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An open input file that must stay in the state it was pinned in. Every read looks, after it has
 * its bytes, whether they are still that state's, so no byte of a changed file is ever decoded;
 * where the reads themselves are made on that condition, looking costs nothing. Thread-safe. All
 * methods but {@link #close} may wait.
 */
public final class OpenFile implements AutoCloseable {

    private final FileStatus pinned;
    private final RangeReader reader;
    private final ReadProfile profile;
    private final @Nullable ByteBuffer whole;
    private final boolean verifiesChecksums;
    private final ScanMetrics metrics;
    private int reads;
    private boolean closed;

    private OpenFile(
            FileStatus pinned,
            RangeReader reader,
            ReadProfile profile,
            @Nullable ByteBuffer whole,
            boolean verifiesChecksums,
            ScanMetrics metrics) {
        this.pinned = pinned;
        this.reader = reader;
        this.profile = profile;
        this.whole = whole;
        this.verifiesChecksums = verifiesChecksums;
        this.metrics = metrics;
    }

    /**
     * Opens a file and checks its state.
     *
     * @param whole all bytes that the file has in that state, if they are known: nothing is read
     * @param verifiesChecksums whether a page whose checksum is not that of its bytes is an error
     * @throws SpillwayException {@code SOURCE_CHANGED}, {@code FILE_NOT_FOUND}, {@code READ_FAILED}
     */
    public static OpenFile open(
            FileSystemAccess files,
            FileStatus pinned,
            @Nullable ByteBuffer whole,
            boolean verifiesChecksums,
            ScanMetrics metrics) {
        RangeReader reader;
        try {
            reader = files.open(pinned);
        } catch (SpillwayException e) {
            throw e.code() == ErrorCode.FILE_NOT_FOUND ? changed(pinned, "is gone", e) : e;
        }
        metrics.fileOpened();
        OpenFile file =
                new OpenFile(pinned, reader, files.profile(), whole, verifiesChecksums, metrics);
        try {
            file.verify();
            return file;
        } catch (RuntimeException e) {
            file.close();
            throw e;
        }
    }

    /** The state in which the file is read. */
    public FileStatus pinned() {
        return pinned;
    }

    /** Is a page whose checksum is not that of its bytes an error? */
    public boolean verifiesChecksums() {
        return verifiesChecksums;
    }

    /** How it likes to be read. */
    public ReadProfile profile() {
        return profile;
    }

    /**
     * Fills the buffer from a position, unless the file is closed meanwhile.
     *
     * @throws SpillwayException {@code SOURCE_CHANGED}, {@code FILE_CORRUPT}, {@code READ_FAILED};
     *     {@code CANCELED} if the file is closed
     */
    public void readFully(long position, ByteBuffer into) {
        begin();
        try {
            if (whole == null) {
                read(position, into);
            } else {
                into.put(whole.slice((int) position, into.remaining()));
            }
            verify();
        } finally {
            end();
        }
    }

    private void read(long position, ByteBuffer into) {
        int length = into.remaining();
        try {
            reader.readFully(position, into);
        } catch (SpillwayException e) {
            check();
            verify();
            throw e.code() == ErrorCode.FILE_NOT_FOUND ? changed(pinned, "is gone", e) : e;
        }
        metrics.bytesRead(length);
    }

    private synchronized void begin() {
        check();
        reads++;
    }

    private synchronized void check() {
        if (closed) {
            throw new SpillwayException(
                    ErrorCode.CANCELED, "The read of '" + pinned.uri() + "' was canceled");
        }
    }

    private synchronized void end() {
        reads--;
    }

    /** Throws if the file is not, or no longer, in its pinned state. */
    public void verify() {
        FileStatus now;
        try {
            now = reader.status();
        } catch (SpillwayException e) {
            throw e.code() == ErrorCode.FILE_NOT_FOUND ? changed(pinned, "is gone", e) : e;
        }
        if (now.size() != pinned.size()
                || now.modifiedMillis() != pinned.modifiedMillis()
                || !Objects.equals(now.identity(), pinned.identity())) {
            throw changed(pinned, "has changed", null);
        }
    }

    private static SpillwayException changed(
            FileStatus pinned, String how, @Nullable SpillwayException cause) {
        return new SpillwayException(
                        ErrorCode.SOURCE_CHANGED,
                        "'" + pinned.uri() + "' " + how + " since it was pinned",
                        cause)
                .with(SpillwayException.FILE, pinned.uri());
    }

    /**
     * Closes the file and makes reads under way fail. Does not wait for them: closing may have to,
     * and is then done in the background.
     */
    @Override
    public void close() {
        boolean idle;
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            idle = reads == 0;
        }
        if (idle) {
            reader.close();
        } else {
            Thread.ofVirtual().name("spillway-close-file").start(reader::close);
        }
    }
}
