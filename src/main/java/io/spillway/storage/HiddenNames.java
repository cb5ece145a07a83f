package io.spillway.storage;

/** Names of what is not to be seen yet; listings leave them out. */
final class HiddenNames {

    private HiddenNames() {}

    /**
     * The hidden name of a file or folder while it is written.
     *
     * @param tag tells apart those who write it
     */
    static String of(String name, String tag) {
        return "." + name + "." + tag + ".tmp";
    }
}
