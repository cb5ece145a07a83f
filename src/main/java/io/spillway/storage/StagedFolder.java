package io.spillway.storage;

import io.spillway.error.SpillwayException;

/**
 * Writes files to a hidden folder beside the one that it is to be, which gets its name at the end.
 */
final class StagedFolder implements FolderWriter {

    /** Gives the hidden folder its name, if nothing has that. */
    interface Rename {
        void run() throws SpillwayException;
    }

    private final FileSystemAccess files;
    private final String hidden;
    private final Rename rename;
    private boolean ended;

    /**
     * Writes nothing yet.
     *
     * @param hidden URI of the hidden folder
     */
    StagedFolder(FileSystemAccess files, String hidden, Rename rename) {
        this.files = files;
        this.hidden = hidden;
        this.rename = rename;
    }

    @Override
    public FileWriter create(String name) {
        return files.create(hidden + "/" + Percent.encode(name));
    }

    @Override
    public void commit() {
        rename.run();
        ended = true;
    }

    @Override
    public void close() {
        if (!ended) {
            ended = true;
            files.delete(hidden);
        }
    }
}
