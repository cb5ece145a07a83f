package io.spillway.storage;

import io.spillway.error.SpillwayException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Objects that are uploaded under the names that they are to have, and whose uploads are completed
 * together, since an object store shows none before that.
 */
final class UploadedFolder implements FolderWriter {

    private final HadoopFiles files;
    private final String uri;
    private final List<Upload> uploads = new ArrayList<>();

    /** Uploads, from the first whole one on, that may be completed. */
    private int visible;

    private boolean ended;

    UploadedFolder(HadoopFiles files, String uri) {
        this.files = files;
        this.uri = uri;
    }

    @Override
    public FileWriter create(String name) {
        String file = uri + "/" + Percent.encode(name);
        Upload upload = new Upload(file, files.create(file));
        uploads.add(upload);
        return upload;
    }

    @Override
    public void commit() {
        if (files.exists(uri)) {
            throw WriteFailures.exists(uri);
        }
        for (Upload upload : uploads) {
            if (upload.isWhole) {
                visible++;
                upload.writer.commit();
            }
        }
        ended = true;
    }

    @Override
    public void close() {
        if (ended) {
            return;
        }
        ended = true;
        SpillwayException failure = null;
        for (Upload upload : uploads) {
            try {
                upload.writer.close();
            } catch (SpillwayException e) {
                failure = e;
            }
        }
        uploads.stream()
                .filter(upload -> upload.isWhole)
                .limit(visible)
                .forEach(upload -> files.delete(upload.file));
        if (failure != null) {
            throw failure;
        }
    }

    /** An upload that is completed with the folder. */
    private static final class Upload implements FileWriter {

        private final String file;
        private final FileWriter writer;
        private boolean isWhole;

        private Upload(String file, FileWriter writer) {
            this.file = file;
            this.writer = writer;
        }

        @Override
        public long position() {
            return writer.position();
        }

        @Override
        public void write(ByteBuffer bytes) {
            writer.write(bytes);
        }

        @Override
        public FileStatus commit() {
            isWhole = true;
            return new FileStatus(file, writer.position(), System.currentTimeMillis(), null);
        }

        @Override
        public void close() {
            if (!isWhole) {
                writer.close();
            }
        }
    }
}
