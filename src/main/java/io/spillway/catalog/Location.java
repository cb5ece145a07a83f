package io.spillway.catalog;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.storage.UriSchemes;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A path, URI or glob as somebody wrote it, taken apart for the question what it stands below.
 *
 * @param text what a file system is asked for
 * @param scheme in its one form, see {@link UriSchemes}; {@code file} for a plain path
 * @param authority host or bucket, empty for local files
 * @param segments the names between the slashes, percent-decoded in a URI, without empty ones and
 *     {@code .}; a glob's stand here as they are written
 */
record Location(String text, String scheme, String authority, List<String> segments) {

    /** The scheme of local files. */
    static final String FILE = UriSchemes.FILE;

    private static final Pattern URI =
            Pattern.compile("([A-Za-z][A-Za-z0-9+.-]*):(?://([^/]*))?(.*)", Pattern.DOTALL);
    private static final Pattern USER_AND_PASSWORD = Pattern.compile(":.*@", Pattern.DOTALL);
    private static final Pattern GLOB = Pattern.compile("[*?\\[\\]{}\\\\]");

    Location {
        segments = List.copyOf(segments);
    }

    /**
     * Takes apart what a request names.
     *
     * @throws SpillwayException {@code PATH_NOT_ALLOWED} for a relative path, one with a {@code ..}
     *     in it, or what no file system could have
     */
    static Location requested(String text) {
        if (text.indexOf('\0') >= 0) {
            throw refused(text, "A path holds no U+0000");
        }
        Matcher uri = URI.matcher(text);
        if (uri.matches()) {
            String scheme = UriSchemes.canonical(uri.group(1));
            String authority = uri.group(2) == null ? "" : uri.group(2);
            if (USER_AND_PASSWORD.matcher(authority).find()) {
                throw refused(scheme + "://…", "A URI holds no password");
            }
            boolean bucket = !scheme.equals(FILE) && !authority.isEmpty() && uri.group(3).isEmpty();
            if (!uri.group(3).startsWith("/") && !bucket) {
                throw refused(text, "A URI has an absolute path");
            }
            if (scheme.equals(FILE)) {
                if (!authority.isEmpty() && !authority.equalsIgnoreCase("localhost")) {
                    throw refused(text, "A file URI names no other machine");
                }
                authority = "";
            }
            return new Location(
                    text, scheme, authority, segments(text, decoded(uri.group(3), text)));
        }
        if (!text.startsWith("/")) {
            throw refused(text, "A path is absolute, or a URI");
        }
        return new Location(text, FILE, "", segments(text, text));
    }

    /** As {@link #requested}, where a path may also be relative to the working directory. */
    static Location configured(String text) {
        boolean relative = !text.startsWith("/") && !URI.matcher(text).matches();
        return requested(
                relative
                        ? Path.of("").toAbsolutePath() + "/" + text.replaceFirst("^(\\./)+", "")
                        : text);
    }

    /** Whether this is the other location or stands below it, as far as the names tell. */
    boolean isWithin(Location other) {
        return scheme.equals(other.scheme)
                && authority.equals(other.authority)
                && segments.size() >= other.segments.size()
                && segments.subList(0, other.segments.size()).equals(other.segments);
    }

    /** The local path of the first so many segments. */
    Path localPath(int count) {
        return Path.of("/" + String.join("/", segments.subList(0, count)));
    }

    /** How many leading segments have no glob characters. */
    int fixedSegments() {
        int count = 0;
        while (count < segments.size() && !GLOB.matcher(segments.get(count)).find()) {
            count++;
        }
        return count;
    }

    static SpillwayException refused(String text, String sentence) {
        return new SpillwayException(ErrorCode.PATH_NOT_ALLOWED, sentence + ": " + text)
                .with(SpillwayException.FILE, text);
    }

    private static List<String> segments(String text, String path) {
        if (path.indexOf('\0') >= 0) {
            throw refused(text, "A path holds no U+0000");
        }
        List<String> segments = new ArrayList<>();
        for (String segment : path.split("/", -1)) {
            if (segment.equals("..")) {
                throw refused(text, "A path has no '..' in it");
            }
            if (!segment.isEmpty() && !segment.equals(".")) {
                segments.add(segment);
            }
        }
        return segments;
    }

    private static String decoded(String path, String text) {
        try {
            // A plus sign in a path is a plus sign; the decoder is made for forms.
            return URLDecoder.decode(path.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw refused(text, "A URI has a percent sign only before two hex digits");
        }
    }
}
