package io.spillway.rows;

import java.io.ByteArrayOutputStream;

/** Numbers from 0 on, seven bits a byte, the lowest first. */
final class VarintWriter {

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    void write(long value) {
        long left = value;
        while (left > 0x7F) {
            bytes.write(((int) left & 0x7F) | 0x80);
            left >>>= 7;
        }
        bytes.write((int) left);
    }

    byte[] bytes() {
        return bytes.toByteArray();
    }
}
