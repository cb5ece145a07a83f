package io.spillway.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.MultipartUpload;

/**
 * A real server of the S3 protocol, S3Proxy, which keeps objects in memory and checks signatures.
 * It is shared by all tests of this JVM, each in a bucket of its own.
 */
public final class S3Server {

    private static final String ACCESS_KEY = "tester";
    private static final String SECRET_KEY = "not-to-be-shown-anywhere";
    private static final AtomicInteger BUCKETS = new AtomicInteger();

    private final int port;
    private final S3Client client;

    private S3Server(int port) {
        this.port = port;
        this.client =
                S3Client.builder()
                        .endpointOverride(URI.create("http://127.0.0.1:" + port))
                        .region(Region.US_EAST_1)
                        .forcePathStyle(true)
                        .credentialsProvider(
                                StaticCredentialsProvider.create(
                                        AwsBasicCredentials.create(ACCESS_KEY, SECRET_KEY)))
                        // The server does not know checksums that trail a request's body.
                        .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
                        .serviceConfiguration(c -> c.chunkedEncodingEnabled(false))
                        .build();
    }

    private static final class Shared {

        private static final S3Server SERVER = start();
    }

    /** The server of this JVM; the first caller starts it. */
    public static S3Server shared() {
        return Shared.SERVER;
    }

    private static S3Server start() {
        try {
            int port = freePort();
            Path folder = Files.createTempDirectory("s3proxy");
            Files.writeString(
                    folder.resolve("s3proxy.properties"),
                    """
                    s3proxy.authorization=aws-v2-or-v4
                    s3proxy.identity=%s
                    s3proxy.credential=%s
                    s3proxy.endpoint=http://127.0.0.1:%d
                    jclouds.provider=transient-nio2
                    jclouds.identity=none
                    jclouds.credential=none
                    """
                            .formatted(ACCESS_KEY, SECRET_KEY, port));
            ServerProcess process =
                    ServerProcess.start(
                            folder,
                            List.of(ServerProcess.jar("s3proxy.jar")),
                            "org.gaul.s3proxy.Main",
                            "--properties",
                            "s3proxy.properties");
            process.await(() -> listens(port));
            return new S3Server(port);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean listens(int port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 200);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /** The port it listens on, at the loopback address. */
    public int port() {
        return port;
    }

    /** What must stand in no message. */
    public String secret() {
        return SECRET_KEY;
    }

    /** What Hadoop's client needs to know to reach it by a port, its own or one before it. */
    public Map<String, String> properties(int viaPort) {
        return Map.of(
                "fs.s3a.endpoint",
                "http://127.0.0.1:" + viaPort,
                "fs.s3a.endpoint.region",
                "us-east-1",
                "fs.s3a.path.style.access",
                "true",
                "fs.s3a.access.key",
                ACCESS_KEY,
                "fs.s3a.secret.key",
                SECRET_KEY,
                // This server has no request that deletes many objects.
                "fs.s3a.multiobjectdelete.enable",
                "false",
                "fs.s3a.aws.credentials.provider",
                "org.apache.hadoop.fs.s3a.SimpleAWSCredentialsProvider");
    }

    /** A new, empty bucket. */
    public String bucket() {
        String bucket = "bucket-" + BUCKETS.incrementAndGet();
        client.createBucket(b -> b.bucket(bucket));
        return bucket;
    }

    /** Puts an object, in place of one that may be there. */
    public void put(String bucket, String key, byte[] content) {
        client.putObject(b -> b.bucket(bucket).key(key), RequestBody.fromBytes(content));
    }

    /** Removes an object. */
    public void delete(String bucket, String key) {
        client.deleteObject(b -> b.bucket(bucket).key(key));
    }

    /** Keys of uploads in parts that are neither completed nor aborted. */
    public List<String> uploads(String bucket) {
        return client.listMultipartUploads(b -> b.bucket(bucket)).uploads().stream()
                .map(MultipartUpload::key)
                .toList();
    }

    /** Parts that have arrived of uploads that have not ended. */
    public int uploadedParts(String bucket) {
        return client.listMultipartUploads(b -> b.bucket(bucket)).uploads().stream()
                .mapToInt(
                        upload ->
                                client.listParts(
                                                b ->
                                                        b.bucket(bucket)
                                                                .key(upload.key())
                                                                .uploadId(upload.uploadId()))
                                        .parts()
                                        .size())
                .sum();
    }
}
