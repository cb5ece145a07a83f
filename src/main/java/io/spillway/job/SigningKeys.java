package io.spillway.job;

import io.spillway.cursor.SigningKey;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Base64;
import java.util.List;
import javax.crypto.spec.SecretKeySpec;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The table {@code signing_key}. */
final class SigningKeys {

    private static final String ALGORITHM = "HmacSHA256";
    private static final int SECRET_BYTES = 32;
    private static final int ID_BYTES = 6;
    private static final int FIRST_GENERATION = 1;

    private final JdbcClient jdbc;
    private final SecureRandom random = new SecureRandom();

    SigningKeys(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** All keys, newest first. The first one is made if there is none; who loses a race reads. */
    List<SigningKey> newestFirst() {
        List<SigningKey> keys = read();
        if (!keys.isEmpty()) {
            return keys;
        }
        try {
            insertFirst();
        } catch (DuplicateKeyException e) {
            // Another replica made it just now.
        }
        return read();
    }

    private List<SigningKey> read() {
        return jdbc.sql("SELECT id, secret, created_at FROM signing_key ORDER BY generation DESC")
                .query(
                        (row, number) ->
                                new SigningKey(
                                        row.getString("id"),
                                        new SecretKeySpec(
                                                Base64.getDecoder().decode(row.getString("secret")),
                                                ALGORITHM),
                                        row.getObject("created_at", OffsetDateTime.class)
                                                .toInstant()))
                .list();
    }

    private void insertFirst() {
        byte[] secret = new byte[SECRET_BYTES];
        random.nextBytes(secret);
        byte[] id = new byte[ID_BYTES];
        random.nextBytes(id);
        jdbc.sql(
                        """
                        INSERT INTO signing_key (id, generation, secret, created_at)
                        VALUES (:id, :generation, :secret, :created_at)
                        """)
                .param("id", Base64.getUrlEncoder().withoutPadding().encodeToString(id))
                .param("generation", FIRST_GENERATION)
                .param("secret", Base64.getEncoder().encodeToString(secret))
                .param("created_at", JobRows.timestamp(Instant.now()))
                .update();
    }
}
