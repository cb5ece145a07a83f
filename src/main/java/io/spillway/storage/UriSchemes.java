package io.spillway.storage;

import java.util.Locale;
import java.util.Map;

/** Names of kinds of file systems. Letter case does not count, and some have two names. */
public final class UriSchemes {

    /** The scheme of local files. */
    public static final String FILE = "file";

    /** S3 by Hadoop's name for its client. */
    static final String S3 = "s3a";

    private static final Map<String, String> SAME = Map.of("s3", S3);

    private UriSchemes() {}

    /** The one name of a scheme, by which {@link FileSystems} knows it. */
    public static String canonical(String scheme) {
        String lower = scheme.toLowerCase(Locale.ROOT);
        return SAME.getOrDefault(lower, lower);
    }
}
