package io.spillway.web.security;

import java.util.regex.Pattern;

/** Names of callers. A job belongs to one, so a name means the same however it was proved. */
public final class Owners {

    /** Whoever calls while nobody has to authenticate; no credential can stand for this name. */
    public static final String ANONYMOUS = "anonymous";

    /** Up to 255 characters, none of them a control character or half a surrogate pair. */
    private static final Pattern NAME = Pattern.compile("[^\\p{Cc}\\p{Cs}]{1,255}");

    private Owners() {}

    /** Whether a credential may stand for this name. */
    static boolean isValid(String name) {
        return NAME.matcher(name).matches() && !name.isBlank() && !name.equals(ANONYMOUS);
    }
}
