package io.spillway.scan.text;

import io.spillway.batch.OffHeap;

/**
 * Whether bytes are text: well-formed UTF-8 (RFC 3629) without NUL, which no text has but nearly
 * everything else.
 */
final class Utf8Check {

    private Utf8Check() {}

    /** Checks the bytes {@code [from, to)}, which begin and end between characters. */
    static void check(long from, long to) {
        long at = Swar.asciiEnd(from, to);
        while (at < to) {
            if (OffHeap.getByte(at) == 0) {
                throw TextFault.corrupt(at, "has a NUL byte, so this is no text");
            }
            int length = length(at, to);
            if (length == 0) {
                throw TextFault.corrupt(
                        at,
                        "is not valid UTF-8: byte 0x%02X stands where no character has it"
                                .formatted(OffHeap.getUnsignedByte(at)));
            }
            at = Swar.asciiEnd(at + length, to);
        }
    }

    /** A fault, or the one of bytes before it that are no text, which explains it better. */
    static TextFault earliest(TextFault fault, long from) {
        try {
            check(from, fault.address());
            return fault;
        } catch (TextFault earlier) {
            return earlier;
        }
    }

    /** Bytes of the character of more than one byte at an address, or 0 if there is none. */
    private static int length(long at, long to) {
        int first = OffHeap.getUnsignedByte(at);
        int length = first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0;
        if (length == 0 || length > to - at) {
            return 0;
        }
        int second = OffHeap.getUnsignedByte(at + 1);
        int least = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
        int most = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
        if (second < least || second > most) {
            return 0;
        }
        for (int i = 2; i < length; i++) {
            if ((OffHeap.getByte(at + i) & 0xC0) != 0x80) {
                return 0;
            }
        }
        return length;
    }
}
