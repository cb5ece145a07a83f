package io.spillway.job;

/**
 * Text that every database takes: PostgreSQL has no U+0000 in text, and no database driver keeps an
 * unpaired surrogate.
 */
public final class StorableText {

    private StorableText() {}

    /** Whether the text can be stored, and looked for, as it is. */
    public static boolean isStorable(String text) {
        for (int i = 0; i < text.length(); ) {
            int c = text.codePointAt(i);
            if (refused(c)) {
                return false;
            }
            i += Character.charCount(c);
        }
        return true;
    }

    /** Text for people: what cannot be stored becomes U+FFFD, the replacement character. */
    public static String forPeople(String text) {
        if (isStorable(text)) {
            return text;
        }
        StringBuilder out = new StringBuilder(text.length());
        text.codePoints().map(c -> refused(c) ? '\uFFFD' : c).forEach(out::appendCodePoint);
        return out.toString();
    }

    /** JSON text: what cannot be stored stands in its strings, where an escape means the same. */
    public static String json(String json) {
        if (isStorable(json)) {
            return json;
        }
        StringBuilder out = new StringBuilder(json.length() + 32);
        json.codePoints()
                .forEach(
                        c -> {
                            if (refused(c)) {
                                out.append("\\u%04x".formatted(c));
                            } else {
                                out.appendCodePoint(c);
                            }
                        });
        return out.toString();
    }

    private static boolean refused(int c) {
        return c == 0 || (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE);
    }
}
