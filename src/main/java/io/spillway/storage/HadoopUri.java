package io.spillway.storage;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.Path;

/**
 * The text form of a path of a Hadoop file system: scheme, authority (a bucket, a name node), and
 * the percent-encoded text of the path. Every file has exactly one: {@code s3} is written {@code
 * s3a}, which is the client that serves both.
 *
 * <p>Hadoop's paths are normalised: an S3 object whose key has an empty name, {@code .} or {@code
 * ..} between its slashes cannot be named.
 *
 * @param encodedPath the path as written: absolute, percent-encoded, perhaps a glob
 */
record HadoopUri(String scheme, String authority, String encodedPath) {

    private static final Pattern FORM =
            Pattern.compile("([A-Za-z][A-Za-z0-9+.-]*)://([^/]*)(/.*)?", Pattern.DOTALL);

    /**
     * Takes a URI apart.
     *
     * @throws io.spillway.error.SpillwayException {@code FILE_NOT_FOUND} if it is none
     */
    static HadoopUri of(String uri) {
        Matcher form = FORM.matcher(uri);
        if (!form.matches()) {
            throw FileFailures.unusable(uri, "is no URI of a file system", null);
        }
        String path = form.group(3);
        return new HadoopUri(
                UriSchemes.canonical(form.group(1)), form.group(2), path == null ? "/" : path);
    }

    /** Scheme and authority: what a client serves. */
    String root() {
        return scheme + "://" + authority;
    }

    /** The path that is named if glob characters are taken literally. */
    Path path() {
        return path(Percent.decode(encodedPath));
    }

    /** The URI of a path on the same file system, as its client tells it. */
    String uri(Path other) {
        return root() + Percent.encode(other.toUri().getPath());
    }

    /** A path on the same file system. */
    Path path(String text) {
        return new Path(scheme, authority.isEmpty() ? null : authority, text);
    }
}
