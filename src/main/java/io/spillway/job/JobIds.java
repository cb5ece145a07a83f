package io.spillway.job;

import java.security.SecureRandom;
import java.util.HexFormat;

/** Identifiers of jobs: 128 random bits in hex, so that none can be guessed. */
final class JobIds {

    private static final SecureRandom RANDOM = new SecureRandom();

    private JobIds() {}

    static String next() {
        byte[] bits = new byte[16];
        RANDOM.nextBytes(bits);
        return HexFormat.of().formatHex(bits);
    }
}
