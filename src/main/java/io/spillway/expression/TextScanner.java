package io.spillway.expression;

import ch.randelshofer.fastdoubleparser.JavaDoubleParser;
import ch.randelshofer.fastdoubleparser.JavaFloatParser;
import io.spillway.batch.OffHeap;

/** One text on the heap, read from left to right; blanks around it do not count. */
final class TextScanner {

    private byte[] bytes = new byte[64];
    private int at;
    private int end;

    /** Becomes a text in memory. */
    void set(long address, int length) {
        if (bytes.length < length) {
            bytes = new byte[length];
        }
        OffHeap.read(address, bytes, 0, length);
        at = 0;
        end = length;
        while (at < end && isBlank(bytes[at])) {
            at++;
        }
        while (end > at && isBlank(bytes[end - 1])) {
            end--;
        }
    }

    private static boolean isBlank(byte b) {
        return b == ' ' || (b >= '\t' && b <= '\r');
    }

    boolean atEnd() {
        return at == end;
    }

    int position() {
        return at;
    }

    void moveTo(int position) {
        at = position;
    }

    /** The next character, or -1 at the end; stays there. */
    int peek() {
        return at < end ? bytes[at] : -1;
    }

    /** Moves on if the next character is this one. */
    boolean accept(char c) {
        if (at < end && bytes[at] == c) {
            at++;
            return true;
        }
        return false;
    }

    /** The next digit, or -1, and then stays there. */
    int digit() {
        if (at < end && bytes[at] >= '0' && bytes[at] <= '9') {
            return bytes[at++] - '0';
        }
        return -1;
    }

    /** A sign, if there is one: true if it is a minus. */
    boolean negative() {
        if (accept('-')) {
            return true;
        }
        accept('+');
        return false;
    }

    /**
     * A number of so many digits, or -1.
     *
     * @param most at most 18
     */
    long number(int least, int most) {
        long number = 0;
        int count = 0;
        while (count < most) {
            int digit = digit();
            if (digit < 0) {
                break;
            }
            number = 10 * number + digit;
            count++;
        }
        return count < least ? -1 : number;
    }

    /** Whether the rest of the text is a word, in letters of any case; moves to the end then. */
    boolean acceptRest(String lowerCase) {
        if (end - at != lowerCase.length()) {
            return false;
        }
        for (int i = 0; i < lowerCase.length(); i++) {
            int c = bytes[at + i];
            int lower = c >= 'A' && c <= 'Z' ? c | 0x20 : c;
            if (lower != lowerCase.charAt(i)) {
                return false;
            }
        }
        at = end;
        return true;
    }

    /** The text from a position to the end, which is a decimal number, as the nearest double. */
    double doubleFrom(int from) {
        return JavaDoubleParser.parseDouble(bytes, from, end - from);
    }

    /** The same as the nearest float. */
    float floatFrom(int from) {
        return JavaFloatParser.parseFloat(bytes, from, end - from);
    }
}
