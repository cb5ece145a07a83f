package io.spillway.batch.codec;

import net.jpountz.lz4.LZ4Factory;

/** The LZ4 library in its fastest form. */
public final class Lz4 {

    /** Thread-safe. */
    public static final LZ4Factory FACTORY = factory();

    private Lz4() {}

    /**
     * The native one wherever it loads; the library's own choice takes it only if the system's
     * class loader has loaded the library.
     */
    private static LZ4Factory factory() {
        try {
            return LZ4Factory.nativeInstance();
        } catch (LinkageError | RuntimeException e) {
            return LZ4Factory.fastestJavaInstance();
        }
    }
}
