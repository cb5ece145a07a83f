package io.spillway.delivery.http;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Clock;
import java.util.concurrent.atomic.AtomicLong;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.http.auth.spi.signer.HttpSigner;
import software.amazon.awssdk.http.auth.spi.signer.SignedRequest;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;
import software.amazon.awssdk.identity.spi.AwsSessionCredentialsIdentity;

/** Signs requests by AWS Signature Version 4 with the signer of the AWS SDK. */
final class AwsSignature {

    private static final String S3 = "s3";

    private final AwsV4HttpSigner signer = AwsV4HttpSigner.create();
    private final Clock clock;

    AwsSignature(Clock clock) {
        this.clock = clock;
    }

    /**
     * Adds the signature, and the length of the body, to headers of which all are signed.
     *
     * @param body read here, twice where it is compressed: its hash must be known before it is sent
     */
    void sign(
            HttpHeaders headers,
            Endpoint endpoint,
            Authentication.AwsSigV4 keys,
            Secrets secrets,
            RequestBody body) {
        SdkHttpRequest.Builder request =
                SdkHttpRequest.builder()
                        .method(SdkHttpMethod.fromValue(endpoint.method()))
                        .uri(endpoint.uri());
        headers.forEach(header -> request.appendHeader(header.getKey(), header.getValue()));
        request.putHeader("host", headers.get(HttpHeaderNames.HOST));
        AtomicLong length = new AtomicLong();
        boolean s3 = keys.service().equals(S3);
        SignedRequest signed =
                signer.sign(
                        signing ->
                                signing.identity(identity(keys, secrets))
                                        .request(request.build())
                                        .payload(() -> new Counted(body.open(), length))
                                        .putProperty(AwsV4HttpSigner.REGION_NAME, keys.region())
                                        .putProperty(
                                                AwsV4HttpSigner.SERVICE_SIGNING_NAME,
                                                keys.service())
                                        .putProperty(AwsV4HttpSigner.DOUBLE_URL_ENCODE, !s3)
                                        .putProperty(AwsV4HttpSigner.NORMALIZE_PATH, !s3)
                                        .putProperty(HttpSigner.SIGNING_CLOCK, clock));
        signed.request().headers().forEach(headers::set);
        headers.set(HttpHeaderNames.CONTENT_LENGTH, length.get());
    }

    private static AwsCredentialsIdentity identity(Authentication.AwsSigV4 keys, Secrets secrets) {
        String id = keys.accessKeyId().reveal(secrets);
        String key = keys.secretAccessKey().reveal(secrets);
        return keys.sessionToken() == null
                ? AwsCredentialsIdentity.create(id, key)
                : AwsSessionCredentialsIdentity.create(
                        id, key, keys.sessionToken().reveal(secrets));
    }

    /** Counts the bytes of a stream that is read from its beginning. */
    private static final class Counted extends FilterInputStream {

        private final AtomicLong bytes;

        Counted(InputStream source, AtomicLong bytes) {
            super(source);
            this.bytes = bytes;
            bytes.set(0);
        }

        @Override
        public int read() throws IOException {
            int value = super.read();
            bytes.addAndGet(value < 0 ? 0 : 1);
            return value;
        }

        @Override
        public int read(byte[] to, int offset, int length) throws IOException {
            int read = super.read(to, offset, length);
            bytes.addAndGet(Math.max(0, read));
            return read;
        }
    }
}
