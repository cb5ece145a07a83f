package io.spillway.expression;

import io.spillway.batch.OffHeap;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** A digest of a text's bytes, in lower-case hexadecimal digits. */
final class HexDigest implements TextValue.Operator {

    private static final String DIGITS = "0123456789abcdef";

    private final MessageDigest digest;
    private byte[] bytes = new byte[64];

    /**
     * @param algorithm one that every Java platform has
     */
    HexDigest(String algorithm) {
        try {
            digest = MessageDigest.getInstance(algorithm);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalArgumentException(algorithm, e);
        }
    }

    @Override
    public void write(TextArguments a, BytesOutput out) {
        int length = a.length(0);
        if (bytes.length < length) {
            bytes = new byte[Math.max(length, 2 * bytes.length)];
        }
        OffHeap.read(a.address(0), bytes, 0, length);
        digest.update(bytes, 0, length);
        byte[] result = digest.digest();
        long to = out.reserve(2L * result.length);
        for (int i = 0; i < result.length; i++) {
            OffHeap.putByte(to + 2L * i, (byte) DIGITS.charAt(result[i] >>> 4 & 0xf));
            OffHeap.putByte(to + 2L * i + 1, (byte) DIGITS.charAt(result[i] & 0xf));
        }
        out.end(2 * result.length);
    }
}
