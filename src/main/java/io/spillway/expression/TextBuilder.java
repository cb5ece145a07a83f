package io.spillway.expression;

import io.spillway.batch.OffHeap;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** UTF-8 text under construction on the heap, for one value after the other. */
final class TextBuilder {

    private byte[] bytes = new byte[64];
    private int length;

    byte[] bytes() {
        return bytes;
    }

    int length() {
        return length;
    }

    void clear() {
        length = 0;
    }

    private void reserve(int more) {
        if (bytes.length - length < more) {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + more));
        }
    }

    TextBuilder append(char ascii) {
        reserve(1);
        bytes[length++] = (byte) ascii;
        return this;
    }

    TextBuilder append(String text) {
        byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
        reserve(encoded.length);
        System.arraycopy(encoded, 0, bytes, length, encoded.length);
        length += encoded.length;
        return this;
    }

    TextBuilder append(long address, int count) {
        reserve(count);
        OffHeap.read(address, bytes, length, count);
        length += count;
        return this;
    }

    /** Decimal digits of an unsigned number, with zeros in front up to a width. */
    TextBuilder digits(long unsigned, int width) {
        reserve(Math.max(width, 20));
        int count = 0;
        long rest = unsigned;
        byte[] b = bytes;
        int end = length + Math.max(width, 20);
        // Written from the right, then moved to the left.
        do {
            long quotient = Long.divideUnsigned(rest, 10);
            b[end - ++count] = (byte) ('0' + (rest - 10 * quotient));
            rest = quotient;
        } while (rest != 0);
        while (count < width) {
            b[end - ++count] = '0';
        }
        System.arraycopy(b, end - count, b, length, count);
        length += count;
        return this;
    }

    @Override
    public String toString() {
        return new String(bytes, 0, length, StandardCharsets.UTF_8);
    }
}
