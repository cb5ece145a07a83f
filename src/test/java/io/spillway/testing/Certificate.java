package io.spillway.testing;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** A self-signed certificate with its key, made by the JDK's keytool. */
public final class Certificate {

    private static final String PASSWORD = "changeit";
    private static final String ALIAS = "server";

    private final KeyStore store;
    private final X509Certificate certificate;

    private Certificate(KeyStore store) throws GeneralSecurityException {
        this.store = store;
        this.certificate = (X509Certificate) store.getCertificate(ALIAS);
    }

    /**
     * Makes one.
     *
     * @param folder for the key store
     * @param names as keytool's SAN extension takes them, such as {@code
     *     dns:localhost,ip:127.0.0.1}
     */
    public static Certificate make(Path folder, String names)
            throws IOException, InterruptedException, GeneralSecurityException {
        Path file = Files.createTempFile(folder, "server", ".p12");
        Files.delete(file);
        Process keytool =
                new ProcessBuilder(
                                List.of(
                                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                                .toString(),
                                        "-genkeypair",
                                        "-alias",
                                        ALIAS,
                                        "-keyalg",
                                        "EC",
                                        "-groupname",
                                        "secp256r1",
                                        "-dname",
                                        "CN=server",
                                        "-ext",
                                        "san=" + names,
                                        "-storetype",
                                        "PKCS12",
                                        "-keystore",
                                        file.toString(),
                                        "-storepass",
                                        PASSWORD))
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start();
        if (!keytool.waitFor(60, TimeUnit.SECONDS) || keytool.exitValue() != 0) {
            throw new IOException("keytool failed");
        }
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            store.load(in, PASSWORD.toCharArray());
        }
        return new Certificate(store);
    }

    /** For a server that shows it. */
    public SSLContext server() throws GeneralSecurityException {
        KeyManagerFactory keys =
                KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, PASSWORD.toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        return context;
    }

    /** For a client that trusts it. */
    public X509Certificate certificate() {
        return certificate;
    }
}
