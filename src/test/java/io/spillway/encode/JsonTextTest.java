package io.spillway.encode;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTextTest {

    @Test
    void onlyWhatJsonAsksForIsEscaped() {
        assertThat(escape("a\"b\\c/d\u007f\u2028é€😀")).isEqualTo("a\\\"b\\\\c/d\u007f\u2028é€😀");
        assertThat(escape("\b\t\n\f\r\0\u001f\u000b"))
                .isEqualTo("\\b\\t\\n\\f\\r\\u0000\\u001f\\u000b");
    }

    @Test
    void everyCharacterAtEveryPlaceOfAWord() {
        for (int c = 0; c < 0x900; c++) {
            for (int before = 0; before < 9; before++) {
                String text = "x".repeat(before) + (char) c + "y".repeat(c % 9);
                String json = '"' + escape(text) + '"';
                if (!Encoding.STRICT.readTree(json).stringValue().equals(text)) {
                    throw new AssertionError(json);
                }
            }
        }
    }

    @Test
    void everyCodePointIsUtf8() {
        byte[] out = new byte[64];
        for (int c = 0x80; c <= Character.MAX_CODE_POINT; c++) {
            if (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE) {
                continue;
            }
            byte[] utf8 = Character.toString(c).getBytes(StandardCharsets.UTF_8);
            byte[] in = Arrays.copyOf(utf8, 16);
            int end = JsonText.escape(in, 0, utf8.length, out, 0, false);
            if (end != utf8.length || !Arrays.equals(utf8, 0, end, out, 0, end)) {
                throw new AssertionError("U+" + Integer.toHexString(c));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "80", // a continuation without a beginning
                "c0af", // overlong
                "c1bf",
                "e08080",
                "e09fbf",
                "f08fbfbf",
                "f4908080", // above U+10FFFF
                "f5808080",
                "ff",
                "fe",
                "c3", // cut off
                "e282",
                "f09f98",
                "61c3",
                "c328",
                "e28228",
                "f09f9828",
                "61f18080e180c262806380bf64", // the standard's own examples of maximal subparts
                "c0afe080bff0818241",
                "f4919293ff4180bf42",
                "e180e2f09192f1bf41"
            })
    void whatIsNotUtf8(String hex) {
        byte[] bytes = HexFormat.of().parseHex(hex);
        assertThat(isUtf8(bytes)).isFalse();
        sameAsJava(bytes);
    }

    /** Surrogates are no beginning of a character (Java would take three bytes for one). */
    @ParameterizedTest
    @CsvSource({"eda080, 3", "edbfbf, 3", "eda080edb080, 6", "edaf41, 2", "ed, 1"})
    void surrogatesAreNotUtf8(String hex, int replacements) {
        byte[] bytes = HexFormat.of().parseHex(hex);
        assertThat(escape(bytes, false)).isEmpty();
        assertThat(escape(bytes, true).orElseThrow().replace("A", ""))
                .isEqualTo("\ufffd".repeat(replacements));
    }

    @Property(tries = 2000)
    void anyBytesAreJudgedAsByJava(@ForAll @Size(max = 40) byte[] bytes) {
        sameAsJava(bytes);
    }

    /** Bytes that look like UTF-8, so that all branches are met often. */
    @Test
    void likelyBytesAreJudgedAsByJava() {
        int[] likely = {
            0x41, 0x22, 0x0a, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc2, 0xdf, 0xe0, 0xe1, 0xec,
            0xed, 0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xc1
        };
        SplittableRandom random = new SplittableRandom(5);
        for (int i = 0; i < 50_000; i++) {
            byte[] bytes = new byte[random.nextInt(12)];
            for (int k = 0; k < bytes.length; k++) {
                bytes[k] = (byte) likely[random.nextInt(likely.length)];
            }
            sameAsJava(bytes);
        }
    }

    @Test
    void aTextIsNeverCutWithinACharacter() {
        byte[] in = "aé€😀b".getBytes(StandardCharsets.UTF_8);
        for (int end = 4; end <= in.length; end++) {
            int cut = Utf8.boundary(in, 0, end);
            assertThat(cut).isBetween(end - 3, end);
            assertThat(isUtf8(Arrays.copyOf(in, cut))).isTrue();
        }
    }

    private static void sameAsJava(byte[] bytes) {
        for (int i = 1; i < bytes.length; i++) {
            if (bytes[i - 1] == (byte) 0xed && bytes[i] < (byte) 0xc0 && bytes[i] >= (byte) 0xa0) {
                return;
            }
        }
        Optional<String> strict = escape(bytes, false);
        if (strict.isPresent() != isUtf8(bytes)) {
            throw new AssertionError(HexFormat.of().formatHex(bytes));
        }
        String json = '"' + escape(bytes, true).orElseThrow() + '"';
        String expected = new String(bytes, StandardCharsets.UTF_8);
        if (!Encoding.STRICT.readTree(json).stringValue().equals(expected)) {
            throw new AssertionError(HexFormat.of().formatHex(bytes) + " gives " + json);
        }
    }

    private static boolean isUtf8(byte[] bytes) {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
            return true;
        } catch (CharacterCodingException e) {
            return false;
        }
    }

    private static String escape(String text) {
        return escape(text.getBytes(StandardCharsets.UTF_8), false).orElseThrow();
    }

    private static Optional<String> escape(byte[] bytes, boolean replace) {
        byte[] in = Arrays.copyOf(bytes, bytes.length + Long.BYTES);
        byte[] out = new byte[JsonText.GROWTH * bytes.length + Long.BYTES];
        int end = JsonText.escape(in, 0, bytes.length, out, 0, replace);
        return end < 0
                ? Optional.empty()
                : Optional.of(new String(out, 0, end, StandardCharsets.UTF_8));
    }
}
