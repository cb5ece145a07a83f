package io.spillway.storage;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.PatternSyntaxException;

/**
 * What a local URI stands for: itself, the files in and below a folder, or the matches of a glob.
 *
 * <p>A glob is matched name by name: each part between slashes is a pattern of {@link
 * java.nio.file.FileSystem#getPathMatcher} ({@code *}, {@code ?}, {@code [a-c]}, {@code {a,b}}),
 * and the part {@code **} stands for any number of folders, none included. A match that is a folder
 * stands for the files in and below it. Symbolic links are followed, each real folder once on a way
 * down. Percent-encoded glob characters are literal.
 */
final class FileGlob {

    private static final String SPECIAL = "*?[]{}\\";
    private static final String ANY_DEPTH = "**";

    private final String uri;
    private final Set<Path> found = new LinkedHashSet<>();

    private FileGlob(String uri) {
        this.uri = uri;
    }

    /** Paths of regular files, each once, in no particular order; empty if there are none. */
    static List<Path> expand(String uri) {
        FileGlob glob = new FileGlob(uri);
        Path literal = FileUris.toPath(uri);
        try {
            if (Files.exists(literal)) {
                glob.take(literal, new HashSet<>());
            } else {
                glob.match();
            }
        } catch (IOException | DirectoryIteratorException e) {
            throw LocalFiles.failed(uri, e);
        }
        return new ArrayList<>(glob.found);
    }

    /** Splits the pattern at its first part with a glob character and matches from there. */
    private void match() throws IOException {
        boolean escaped = FileUris.hasScheme(uri);
        String[] parts = FileUris.encodedPath(uri).split("/", -1);
        StringBuilder folder = new StringBuilder("/");
        int i = 0;
        while (i < parts.length && !isPattern(parts[i])) {
            folder.append(FileUris.decode(parts[i++], escaped)).append('/');
        }
        List<String> patterns = new ArrayList<>();
        for (; i < parts.length; i++) {
            if (!parts[i].isEmpty()) {
                patterns.add(escaped ? decodePattern(parts[i]) : parts[i]);
            }
        }
        if (!patterns.isEmpty()) {
            match(FileUris.path(folder.toString(), uri), patterns, 0);
        }
    }

    private void match(Path folder, List<String> patterns, int i) throws IOException {
        String pattern = patterns.get(i);
        boolean last = i == patterns.size() - 1;
        if (pattern.equals(ANY_DEPTH)) {
            if (last) {
                take(folder, new HashSet<>());
            } else {
                matchAtAnyDepth(folder, patterns, i + 1, new HashSet<>());
            }
            return;
        }
        PathMatcher matcher = matcher(pattern);
        for (Path child : children(folder)) {
            Path name = child.getFileName();
            if (!matcher.matches(name) || (isHidden(name) && !namesHidden(pattern, name))) {
                continue;
            }
            if (last) {
                take(child, new HashSet<>());
            } else {
                match(child, patterns, i + 1);
            }
        }
    }

    private void matchAtAnyDepth(Path folder, List<String> patterns, int next, Set<Path> above)
            throws IOException {
        if (!enter(folder, above)) {
            return;
        }
        match(folder, patterns, next);
        for (Path child : children(folder)) {
            if (Files.isDirectory(child) && !isHidden(child.getFileName())) {
                matchAtAnyDepth(child, patterns, next, above);
            }
        }
        above.remove(folder.toRealPath());
    }

    /** Takes a file, or the files in and below a folder. */
    private void take(Path path, Set<Path> above) throws IOException {
        if (Files.isRegularFile(path)) {
            found.add(path);
        } else if (Files.isDirectory(path) && enter(path, above)) {
            for (Path child : children(path)) {
                if (!isHidden(child.getFileName())) {
                    take(child, above);
                }
            }
            above.remove(path.toRealPath());
        }
    }

    /** False if the folder is one of those that led here, by way of a link. */
    private static boolean enter(Path folder, Set<Path> above) throws IOException {
        return above.add(folder.toRealPath());
    }

    private static List<Path> children(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        List<Path> children = new ArrayList<>();
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(folder)) {
            stream.forEach(children::add);
        }
        return children;
    }

    private PathMatcher matcher(String pattern) {
        try {
            return FileSystems.getDefault().getPathMatcher("glob:" + pattern);
        } catch (PatternSyntaxException e) {
            throw new SpillwayException(
                            ErrorCode.INVALID_PARAMETER,
                            "'" + pattern + "' is not a glob: " + e.getDescription(),
                            e)
                    .with(SpillwayException.FILE, uri);
        }
    }

    private static boolean isHidden(Path name) {
        String text = name.toString();
        return text.startsWith("_") || text.startsWith(".");
    }

    private static boolean namesHidden(String pattern, Path name) {
        return !pattern.isEmpty() && pattern.charAt(0) == name.toString().charAt(0);
    }

    private static boolean isPattern(String part) {
        for (int i = 0; i < part.length(); i++) {
            if (SPECIAL.indexOf(part.charAt(i)) >= 0) {
                return true;
            }
        }
        return false;
    }

    /**
     * Percent-decodes one part of a pattern; a glob character that was encoded gets a backslash.
     */
    private static String decodePattern(String part) {
        StringBuilder pattern = new StringBuilder();
        int from = 0;
        for (int i = 0; i <= part.length(); i++) {
            boolean special = i < part.length() && SPECIAL.indexOf(part.charAt(i)) >= 0;
            if (i == part.length() || special) {
                for (char c : FileUris.decode(part.substring(from, i), true).toCharArray()) {
                    pattern.append(SPECIAL.indexOf(c) >= 0 ? "\\" : "").append(c);
                }
                from = i + 1;
                if (special) {
                    pattern.append(part.charAt(i));
                }
            }
        }
        return pattern.toString();
    }
}
