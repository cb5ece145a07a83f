package io.spillway.storage;

import io.spillway.error.SpillwayException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/**
 * The text form of local paths: {@code file://} and the percent-encoded text of an absolute,
 * normalised path (RFC 8089). An absolute path without a scheme is understood too, and taken as it
 * is.
 */
final class FileUris {

    private static final String PREFIX = UriSchemes.FILE + ":";

    private FileUris() {}

    /** The URI of a path. */
    static String of(Path path) {
        return PREFIX + "//" + Percent.encode(path.toAbsolutePath().normalize().toString());
    }

    /**
     * The path that a URI or an absolute path names, glob characters taken literally.
     *
     * @throws SpillwayException {@code FILE_NOT_FOUND} if it can name no file of this machine
     */
    static Path toPath(String uri) {
        String path = encodedPath(uri);
        return path(hasScheme(uri) ? Percent.decode(path) : path, uri);
    }

    /** The path with this text, normalised; {@code uri} is for the message. */
    static Path path(String text, String uri) {
        try {
            Path path = Path.of(text);
            if (path.isAbsolute()) {
                return path.normalize();
            }
        } catch (InvalidPathException e) {
            throw FileFailures.unusable(uri, "cannot name a file here", e);
        }
        throw FileFailures.unusable(uri, "is not absolute", null);
    }

    static boolean hasScheme(String uri) {
        return uri.regionMatches(true, 0, PREFIX, 0, PREFIX.length());
    }

    /** The path part, still percent-encoded if there is a scheme. */
    static String encodedPath(String uri) {
        if (!hasScheme(uri)) {
            return uri;
        }
        String rest = uri.substring(PREFIX.length());
        if (!rest.startsWith("//")) {
            return rest;
        }
        int slash = rest.indexOf('/', 2);
        String host = slash < 0 ? rest.substring(2) : rest.substring(2, slash);
        if (slash < 0 || !(host.isEmpty() || host.equalsIgnoreCase("localhost"))) {
            throw FileFailures.unusable(uri, "names another machine", null);
        }
        return rest.substring(slash);
    }
}
