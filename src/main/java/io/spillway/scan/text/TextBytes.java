package io.spillway.scan.text;

/**
 * The bytes of a text one after the other, decompressed. Used by one thread at a time; reading may
 * wait for disk or network.
 */
interface TextBytes extends AutoCloseable {

    /**
     * Reads the next bytes.
     *
     * @param length above 0
     * @return how many there were; less than {@code length} only at the end
     * @throws io.spillway.error.SpillwayException {@code FILE_CORRUPT} if they cannot be
     *     decompressed, and as reads of the file
     */
    int read(long address, int length);

    /** Whether there are none left, as far as that is known. */
    boolean atEnd();

    /** Makes a read under way, in another thread, fail soon. */
    void cancel();

    /** Closes the file. Not while a read is under way. */
    @Override
    void close();
}
