package io.spillway.storage;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Finds the files that a pattern means by walking the folders that can have some; depth costs heap,
 * never stack. Each real folder is entered once on a way down, so links in circles end.
 */
final class TreeWalk {

    /** A file or folder, as its folder's listing shows it. */
    interface Entry<E extends Entry<E>> {

        String name();

        boolean isFile();

        boolean isFolder();

        /** What tells a folder apart from all others, links resolved. */
        Object identity() throws IOException;

        /** What stands in a folder, in any order; empty if it is gone. */
        Iterator<E> children() throws IOException;
    }

    private record Level<E>(Iterator<E> entries, GlobPattern.Progress progress, Object identity) {}

    private TreeWalk() {}

    /**
     * Tells the files that are meant, each once, in no particular order.
     *
     * @param root the pattern's folder
     */
    static <E extends Entry<E>> void find(E root, GlobPattern pattern, Consumer<E> found)
            throws IOException {
        Deque<Level<E>> way = new ArrayDeque<>();
        Set<Object> above = new HashSet<>();
        enter(root, pattern.start(), way, above);
        while (!way.isEmpty()) {
            Level<E> level = way.getLast();
            if (!level.entries().hasNext()) {
                above.remove(way.removeLast().identity());
                continue;
            }
            E entry = level.entries().next();
            GlobPattern.Progress progress = level.progress().into(entry.name());
            if (progress.isDead()) {
                continue;
            }
            if (entry.isFile()) {
                if (progress.isMatch()) {
                    found.accept(entry);
                }
            } else {
                enter(entry, progress, way, above);
            }
        }
    }

    private static <E extends Entry<E>> void enter(
            E folder, GlobPattern.Progress progress, Deque<Level<E>> way, Set<Object> above)
            throws IOException {
        if (folder.isFolder()) {
            Object identity = folder.identity();
            if (above.add(identity)) {
                way.addLast(new Level<>(folder.children(), progress, identity));
            }
        }
    }
}
