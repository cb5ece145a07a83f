package io.spillway.scan.text;

import io.spillway.batch.OffHeap;
import io.spillway.scan.bytes.OpenFile;

/** The bytes of a part of a file. */
final class PlainBytes implements TextBytes {

    private final OpenFile file;
    private final long end;
    private long position;

    /** Takes over the file. */
    PlainBytes(OpenFile file, long from, long end) {
        this.file = file;
        this.position = from;
        this.end = end;
    }

    @Override
    public int read(long address, int length) {
        int there = (int) Math.min(length, end - position);
        if (there > 0) {
            file.readFully(position, OffHeap.view(address, there));
            position += there;
        }
        return there;
    }

    @Override
    public boolean atEnd() {
        return position >= end;
    }

    @Override
    public void cancel() {
        file.close();
    }

    @Override
    public void close() {
        file.close();
    }
}
