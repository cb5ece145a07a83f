package io.spillway.config;

import io.spillway.storage.UriSchemes;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Where spools are, as a URI without a slash at its end. */
final class SpoolUri {

    private static final Pattern SCHEME = Pattern.compile("([A-Za-z][A-Za-z0-9+.-]+):.*");

    private SpoolUri() {}

    /** The configured place, or the one in the home, which is made if it is missing. */
    static String of(SpillwayProperties settings) {
        String named = settings.spool().uri();
        if (named == null) {
            return uri(Home.make(settings.home()).resolve("spool"));
        }
        String uri = SCHEME.matcher(named).matches() ? named : uri(Path.of(named));
        return uri.replaceAll("/+$", "");
    }

    /** The file system that a URI is in. */
    static String scheme(String uri) {
        Matcher scheme = SCHEME.matcher(uri);
        return scheme.matches() ? UriSchemes.canonical(scheme.group(1)) : UriSchemes.FILE;
    }

    private static String uri(Path path) {
        return path.toAbsolutePath().normalize().toUri().toString().replaceAll("/+$", "");
    }
}
