package io.spillway.job;

import java.security.SecureRandom;
import java.util.HexFormat;

/** Identifiers of jobs and exports: 128 random bits in hex, so that none can be guessed. */
public final class JobIds {

    private static final SecureRandom RANDOM = new SecureRandom();

    private JobIds() {}

    /** One that nobody has. */
    public static String next() {
        byte[] bits = new byte[16];
        RANDOM.nextBytes(bits);
        return HexFormat.of().formatHex(bits);
    }
}
