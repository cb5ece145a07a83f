package io.spillway.expression;

/**
 * Floats as SQL databases write them: the shortest digits that read back as the same number, which
 * Java finds, in plain form from 1e-4 to below 1e16 and with an exponent beyond.
 */
final class FloatFormat {

    private static final int MIN_EXPONENT = -4;
    private static final int MAX_EXPONENT = 16;

    private FloatFormat() {}

    /**
     * Writes a number.
     *
     * @param java what {@code Double.toString} or {@code Float.toString} gives for it
     */
    static void append(String java, TextBuilder out) {
        int mark = java.indexOf('E');
        char head = java.charAt(java.length() - 1);
        if (head == 'N' || head == 'y') {
            out.append(java); // NaN, Infinity
            return;
        }
        String mantissa = mark < 0 ? java : java.substring(0, mark);
        int start = mantissa.startsWith("-") ? 1 : 0;
        int point = mantissa.indexOf('.');
        String digits = mantissa.substring(start, point) + mantissa.substring(point + 1);
        int exponent =
                (mark < 0 ? 0 : Integer.parseInt(java.substring(mark + 1))) + point - start - 1;
        // As d.ddd: no zeros in front, none behind.
        int zeros = 0;
        while (zeros < digits.length() - 1 && digits.charAt(zeros) == '0') {
            zeros++;
        }
        int end = digits.length();
        while (end > zeros + 1 && digits.charAt(end - 1) == '0') {
            end--;
        }
        digits = digits.substring(zeros, end);
        exponent = digits.equals("0") ? 0 : exponent - zeros;
        if (start == 1) {
            out.append('-');
        }
        if (exponent < MIN_EXPONENT || exponent >= MAX_EXPONENT) {
            scientific(digits, exponent, out);
        } else {
            plain(digits, exponent, out);
        }
    }

    private static void scientific(String digits, int exponent, TextBuilder out) {
        out.append(digits.charAt(0));
        if (digits.length() > 1) {
            out.append('.').append(digits.substring(1));
        }
        out.append('e').append(exponent < 0 ? '-' : '+').digits(Math.abs(exponent), 2);
    }

    private static void plain(String digits, int exponent, TextBuilder out) {
        if (exponent < 0) {
            out.append("0.").append("0".repeat(-exponent - 1)).append(digits);
            return;
        }
        int whole = exponent + 1;
        if (digits.length() > whole) {
            out.append(digits.substring(0, whole)).append('.').append(digits.substring(whole));
        } else {
            out.append(digits).append("0".repeat(whole - digits.length())).append(".0");
        }
    }
}
