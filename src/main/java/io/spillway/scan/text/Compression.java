package io.spillway.scan.text;

import io.spillway.batch.OffHeap;

/**
 * How a text is compressed. The first bytes tell, whatever the file's name says: no text begins
 * with any of these.
 */
enum Compression {
    NONE(0, 0),
    /** RFC 1952; one member or several. */
    GZIP(0x8B1F, 2),
    /** RFC 8878; one frame or several. */
    ZSTD(0xFD2F_B528, 4),
    /** The LZ4 frame format; one frame or several. */
    LZ4(0x184D_2204, 4);

    /** Bytes that tell. */
    static final int MAGIC_BYTES = 4;

    private final int magic;
    private final int bytes;

    Compression(int magic, int bytes) {
        this.magic = magic;
        this.bytes = bytes;
    }

    /** The compression of a file that begins with these bytes. */
    static Compression of(long address, int length) {
        for (Compression each : values()) {
            if (each.bytes > 0 && length >= each.bytes && each.begins(OffHeap.getInt(address))) {
                return each;
            }
        }
        return NONE;
    }

    private boolean begins(int word) {
        return bytes == MAGIC_BYTES ? word == magic : (word & 0xFFFF) == magic;
    }
}
