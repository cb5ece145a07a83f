package io.spillway.plan.document;

import org.jspecify.annotations.Nullable;

/**
 * What is to be exported, and where to.
 *
 * @param job whose rows
 * @param path URI or absolute path: of a file, or of a folder if a size of files is given
 * @param overwrite whether a file that is there is replaced
 * @param maxFileRows rows of a file at most; null if that is no matter
 * @param maxFileBytes bytes of a file, about, at most; null if that is no matter
 */
public record ExportRequest(
        String job,
        String path,
        boolean overwrite,
        @Nullable Long maxFileRows,
        @Nullable Long maxFileBytes) {

    /** Whether the rows are written to several files in a folder. */
    public boolean isFolder() {
        return maxFileRows != null || maxFileBytes != null;
    }
}
