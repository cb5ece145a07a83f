package io.spillway.cursor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import javax.crypto.spec.SecretKeySpec;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class LeaseTokenTest {

    private static final String ALPHABET =
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    private static final String JOB = "0123456789abcdef".repeat(2);
    private static final LeaseRef LEASE = new LeaseRef(JOB, JOB, 3, 9_600, 2);

    private final KeyRing keys = ring("k1", "a secret");
    private final LeaseToken tokens = new LeaseToken(keys);

    private static KeyRing ring(String id, String secret) {
        SigningKey key =
                new SigningKey(
                        id,
                        new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"),
                        Instant.EPOCH);
        return new KeyRing(() -> List.of(key));
    }

    private void refused(String token, String why) {
        assertThatExceptionOfType(SpillwayException.class)
                .isThrownBy(() -> tokens.decode(token))
                .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_LEASE))
                .withMessageContaining(why);
    }

    @Property(tries = 200)
    void aTokenGivesItsLeaseBack(
            @ForAll @LongRange(min = 1) long generation,
            @ForAll @LongRange(min = 0) long row,
            @ForAll @LongRange(min = 1) long epoch) {
        LeaseRef lease = new LeaseRef(JOB.repeat(2), JOB.repeat(2), generation, row, epoch);
        String token = tokens.encode(lease);
        assertThat(token).hasSizeLessThanOrEqualTo(300).matches("[A-Za-z0-9_-]+");
        assertThat(tokens.decode(token)).isEqualTo(lease);
    }

    @Property(tries = 300)
    void anyOtherCharacterAnywhereIsNoticed(
            @ForAll @IntRange(max = 999) int place, @ForAll @IntRange(min = 1, max = 63) int by) {
        String token = tokens.encode(LEASE);
        int i = place % token.length();
        char other = ALPHABET.charAt((ALPHABET.indexOf(token.charAt(i)) + by) % 64);
        refused(token.substring(0, i) + other + token.substring(i + 1), "");
    }

    @Test
    void whatIsNoLeaseOfThisServiceIsRefused() {
        refused("", "damaged");
        refused("not base64!", "damaged");
        refused("A".repeat(301), "damaged");
        refused(new LeaseToken(ring("k2", "a secret")).encode(LEASE), "key");
        refused(new LeaseToken(ring("k1", "another")).encode(LEASE), "damaged");
        String cursor = new CursorToken(keys).encode(new Cursor(JOB, "0".repeat(64), 9_600));
        refused(cursor, "no lease");
    }
}
