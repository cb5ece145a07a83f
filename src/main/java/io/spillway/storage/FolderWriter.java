package io.spillway.storage;

/**
 * A folder of files that is being written. On file systems that rename folders all of it is seen at
 * once, when it is committed. Object stores have no folders: there the files become visible one
 * after the other, in the order in which they were made, all of them at the very end; so a file
 * that is made last says that the others are there.
 *
 * <p>Not thread-safe. May wait for disk or network.
 */
public interface FolderWriter extends AutoCloseable {

    /**
     * Writes a file of the folder, one at a time. Its own commit ends it, but shows nothing; the
     * state that it gives is not the last one.
     *
     * @param name of the file, without a slash
     * @throws io.spillway.error.SpillwayException as {@link FileSystemAccess#create}
     */
    FileWriter create(String name);

    /**
     * Makes the folder visible, with all files that are committed.
     *
     * @throws io.spillway.error.SpillwayException {@code TARGET_EXISTS}; as {@link
     *     FileWriter#commit}; nothing is to be seen then, unless an object store that fails midway
     *     does not delete either
     */
    void commit();

    /** Gives up what is not committed, and leaves nothing behind as far as the disk allows. */
    @Override
    void close();
}
