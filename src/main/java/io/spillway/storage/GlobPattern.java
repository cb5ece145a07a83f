package io.spillway.storage;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import java.nio.file.FileSystems;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.regex.PatternSyntaxException;

/**
 * A folder, and which of the files in and below it are meant, matched name by name.
 *
 * <p>Each part of a glob between slashes is a pattern of {@link
 * java.nio.file.FileSystem#getPathMatcher} ({@code *}, {@code ?}, {@code [a-c]}, {@code {a,b}}),
 * and the part {@code **} stands for any number of folders, none included. A match that is a folder
 * stands for the files in and below it. Names that start with {@code _} or {@code .} are passed
 * over, unless the pattern starts with the same character. Percent-encoded glob characters are
 * literal.
 *
 * <p>The parts are the states of a nondeterministic automaton that reads names: part {@code i}
 * waits for its name, and the state behind the last part is the match. A {@link Progress} is a set
 * of states, so a tree is walked once whatever the pattern, and where the set is empty there is
 * nothing to look for.
 */
final class GlobPattern {

    private static final String SPECIAL = "*?[]{}\\";
    private static final String ANY_DEPTH = "**";

    /** One part: a pattern for a name, or for any number of folders. */
    private sealed interface Part {

        record AnyDepth() implements Part {}

        record Name(PathMatcher matcher, char first) implements Part {

            boolean matches(String name) {
                if (isHidden(name) && first != name.charAt(0)) {
                    return false;
                }
                try {
                    return matcher.matches(Path.of(name));
                } catch (InvalidPathException e) {
                    return false; // a name that no local file can have, such as one with U+0000
                }
            }
        }
    }

    private final String folder;
    private final List<Part> parts;

    private GlobPattern(String folder, List<Part> parts) {
        this.folder = folder;
        this.parts = parts;
    }

    /** All files in and below a folder but the hidden ones. */
    static GlobPattern everythingIn(String folder) {
        return new GlobPattern(folder, List.of());
    }

    /** Whether a path has glob characters at all. */
    static boolean isPattern(String path) {
        return path.chars().anyMatch(c -> SPECIAL.indexOf(c) >= 0);
    }

    /**
     * Takes an absolute path apart at its first name with a glob character.
     *
     * @param path as written
     * @param escaped whether it is percent-encoded
     * @param uri for the message
     * @throws SpillwayException {@code INVALID_PARAMETER} if it is no glob
     */
    static GlobPattern of(String path, boolean escaped, String uri) {
        UnaryOperator<String> plain = escaped ? Percent::decode : UnaryOperator.identity();
        StringBuilder folder = new StringBuilder("/");
        List<Part> parts = new ArrayList<>();
        for (String text : path.split("/", -1)) {
            if (parts.isEmpty() && !isPattern(text)) {
                folder.append(plain.apply(text)).append('/');
            } else if (text.equals(ANY_DEPTH)) {
                parts.add(new Part.AnyDepth());
            } else if (!text.isEmpty()) {
                parts.add(name(escaped ? decoded(text) : text, uri));
            }
        }
        return new GlobPattern(folder.toString(), parts);
    }

    private static Part name(String pattern, String uri) {
        try {
            return new Part.Name(
                    FileSystems.getDefault().getPathMatcher("glob:" + pattern), pattern.charAt(0));
        } catch (PatternSyntaxException e) {
            throw new SpillwayException(
                            ErrorCode.INVALID_PARAMETER,
                            "'" + pattern + "' is not a glob: " + e.getDescription(),
                            e)
                    .with(SpillwayException.FILE, uri);
        }
    }

    /** The path of the folder to look in, ending in a slash. */
    String folder() {
        return folder;
    }

    /** Where matching stands in the folder itself. */
    Progress start() {
        BitSet states = new BitSet(parts.size() + 1);
        enter(states, 0);
        return new Progress(states);
    }

    /** Adds a state; {@code **} stands for no folder too. */
    private void enter(BitSet states, int state) {
        int i = state;
        states.set(i);
        while (i < parts.size() && parts.get(i) instanceof Part.AnyDepth) {
            states.set(++i);
        }
    }

    /** How far names on a way down from the folder have been matched. Immutable. */
    final class Progress {

        private final BitSet states;

        private Progress(BitSet states) {
            this.states = states;
        }

        /** Whether a file of the names so far is meant. */
        boolean isMatch() {
            return states.get(parts.size());
        }

        /** Whether nothing in or below here can be meant. */
        boolean isDead() {
            return states.isEmpty();
        }

        /** Where matching stands one name further down. */
        Progress into(String name) {
            BitSet next = new BitSet(parts.size() + 1);
            for (int i = states.nextSetBit(0); i >= 0; i = states.nextSetBit(i + 1)) {
                if (i == parts.size()) {
                    next.set(i, next.get(i) || !isHidden(name));
                } else {
                    switch (parts.get(i)) {
                        case Part.AnyDepth _ -> {
                            if (!isHidden(name)) {
                                enter(next, i);
                            }
                        }
                        case Part.Name part -> {
                            if (part.matches(name)) {
                                enter(next, i + 1);
                            }
                        }
                    }
                }
            }
            return new Progress(next);
        }
    }

    private static boolean isHidden(String name) {
        return name.startsWith("_") || name.startsWith(".");
    }

    /**
     * Percent-decodes one part of a pattern; a glob character that was encoded gets a backslash.
     */
    private static String decoded(String part) {
        StringBuilder pattern = new StringBuilder();
        int from = 0;
        for (int i = 0; i <= part.length(); i++) {
            boolean special = i < part.length() && SPECIAL.indexOf(part.charAt(i)) >= 0;
            if (i == part.length() || special) {
                for (char c : Percent.decode(part.substring(from, i)).toCharArray()) {
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
