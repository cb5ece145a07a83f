package io.spillway.storage;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.s3a.AWSUnsupportedFeatureException;
import org.apache.hadoop.fs.s3a.S3AFileSystem;
import software.amazon.awssdk.services.s3.model.MultipartUpload;

/** Uploads in parts that nobody goes on with: an object store keeps their parts, seen by nobody. */
final class UnfinishedUploads {

    private UnfinishedUploads() {}

    /** Aborts those of an object, and of the objects in the folder of that name. */
    static void abort(S3AFileSystem client, Path path) throws IOException {
        String key = client.pathToKey(path);
        List<MultipartUpload> found = new ArrayList<>();
        RemoteIterator<MultipartUpload> uploads = near(client, path);
        while (uploads.hasNext()) {
            MultipartUpload upload = uploads.next();
            if (upload.key().equals(key) || upload.key().startsWith(key + "/")) {
                found.add(upload);
            }
        }
        for (MultipartUpload upload : found) {
            try {
                client.abortMultipartUpload(upload);
            } catch (FileNotFoundException e) {
                // Somebody else was faster.
            }
        }
    }

    /** Those of a folder, which is all that the client lists; or all, of a store that lists no less. */
    private static RemoteIterator<MultipartUpload> near(S3AFileSystem client, Path path)
            throws IOException {
        try {
            return client.listUploads(client.pathToKey(path.getParent()));
        } catch (AWSUnsupportedFeatureException e) {
            return client.listUploads(null);
        }
    }
}
