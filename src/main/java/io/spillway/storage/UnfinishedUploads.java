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
        try {
            // The client lists those of a folder, no less.
            RemoteIterator<MultipartUpload> uploads =
                    client.listUploads(client.pathToKey(path.getParent()));
            while (uploads.hasNext()) {
                MultipartUpload upload = uploads.next();
                if (upload.key().equals(key) || upload.key().startsWith(key + "/")) {
                    found.add(upload);
                }
            }
        } catch (AWSUnsupportedFeatureException e) {
            // Not all stores that speak the protocol list uploads; a rule of the bucket ends them.
            return;
        }
        for (MultipartUpload upload : found) {
            try {
                client.abortMultipartUpload(upload);
            } catch (FileNotFoundException e) {
                // Somebody else was faster.
            }
        }
    }
}
