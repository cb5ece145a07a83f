package io.spillway.cursor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import javax.crypto.spec.SecretKeySpec;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.AlphaChars;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.NumericChars;
import net.jqwik.api.constraints.StringLength;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class CursorTokenTest {

    private static final String ALPHABET =
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    private static final String DIGEST = "0123456789abcdef".repeat(4);
    private static final Cursor CURSOR = new Cursor("j_01hxyz", DIGEST, 417);

    private final CursorToken tokens = tokens(key("k1", 1));

    private static SigningKey key(String id, int seed) {
        byte[] secret = ("secret " + seed + " ".repeat(32)).getBytes(StandardCharsets.UTF_8);
        return new SigningKey(id, new SecretKeySpec(secret, "HmacSHA256"), Instant.EPOCH);
    }

    private static CursorToken tokens(SigningKey... newestFirst) {
        return new CursorToken(new KeyRing(() -> List.of(newestFirst)));
    }

    @Provide
    Arbitrary<Cursor> cursors() {
        return Combinators.combine(
                        Arbitraries.strings()
                                .withCharRange('!', '~')
                                .ofMinLength(1)
                                .ofMaxLength(Cursor.MAX_JOB_ID),
                        Arbitraries.strings().withChars("0123456789abcdef").ofLength(64),
                        Arbitraries.longs().greaterOrEqual(0))
                .as(Cursor::new);
    }

    @Property
    void aTokenGivesItsCursorBack(@ForAll("cursors") Cursor cursor) {
        String token = tokens.encode(cursor);
        assertThat(token).hasSizeLessThan(200).matches("[A-Za-z0-9_-]+");
        assertThat(tokens.verify(token, cursor.jobId(), cursor.digest())).isEqualTo(cursor);
        assertThat(tokens.encode(cursor)).isEqualTo(token);
    }

    @Property
    void anyOtherCharacterAnywhereIsNoticed(
            @ForAll("cursors") Cursor cursor,
            @ForAll @IntRange(max = 999) int place,
            @ForAll @IntRange(min = 1, max = 63) int shift) {
        String token = tokens.encode(cursor);
        int i = place % token.length();
        char other = ALPHABET.charAt((ALPHABET.indexOf(token.charAt(i)) + shift) % 64);
        refused(() -> tokens.decode(token.substring(0, i) + other + token.substring(i + 1)));
    }

    /** Every change of one character of one token, the unused bits of the last one included. */
    @Test
    void everySingleCharacterChangeIsNoticed() {
        String token = tokens.encode(CURSOR);
        for (int i = 0; i < token.length(); i++) {
            for (char other : (ALPHABET + "=+/ .~%\u00e9").toCharArray()) {
                if (other != token.charAt(i)) {
                    String changed = token.substring(0, i) + other + token.substring(i + 1);
                    refused(() -> tokens.decode(changed));
                }
            }
        }
    }

    @Test
    void everyCutAndEveryAdditionIsNoticed() {
        String token = tokens.encode(CURSOR);
        for (int i = 0; i < token.length(); i++) {
            String start = token.substring(0, i);
            String end = token.substring(i + 1);
            refused(() -> tokens.decode(start));
            refused(() -> tokens.decode(end));
        }
        for (String more : List.of("A", "AA", "AAAA", "=", "==", "\n", " ")) {
            refused(() -> tokens.decode(token + more));
            refused(() -> tokens.decode(more + token));
        }
    }

    @Property
    void anyTextIsRefusedInTheSameWay(@ForAll String text) {
        refused(() -> tokens.decode(text));
    }

    @Property
    void anyBytesAreRefusedInTheSameWay(@ForAll byte[] bytes) {
        if (bytes.length > 0) {
            bytes[0] = 1;
        }
        refused(() -> tokens.decode(Base64.getUrlEncoder().withoutPadding().encodeToString(bytes)));
    }

    @Property(tries = 200)
    void aTokenOfOneJobIsOfNoUseForAnother(
            @ForAll @AlphaChars @NumericChars @StringLength(min = 1, max = 20) String other) {
        String token = tokens.encode(CURSOR);
        if (!other.equals(CURSOR.jobId())) {
            refused(() -> tokens.verify(token, other, DIGEST), "belongs to another job");
        }
    }

    @Test
    void eachFaultHasItsSentence() {
        String token = tokens.encode(CURSOR);
        refused(() -> tokens.decode(""), "The cursor is damaged");
        refused(() -> tokens.decode("A".repeat(100_000)), "The cursor is damaged");
        refused(() -> tokens.decode("B" + token.substring(1)), "another version of the service");
        refused(() -> tokens.decode(token.substring(0, token.length() - 4)), "is damaged");
        refused(
                () -> tokens(key("k2", 2)).decode(token),
                "signed with a key that this service does not have");
        refused(() -> tokens(key("k1", 2)).decode(token), "The cursor is damaged");
        refused(() -> tokens.verify(token, "other", DIGEST), "belongs to another job");
        refused(
                () -> tokens.verify(token, CURSOR.jobId(), "f".repeat(64)),
                "belongs to another plan or snapshot");
    }

    @Test
    void rowNumbersUpToTheLargestFit() {
        Cursor last = new Cursor("j", DIGEST, Long.MAX_VALUE);
        assertThat(tokens.decode(tokens.encode(last))).isEqualTo(last);
    }

    @Test
    void theNewestKeySignsAndOldOnesStillVerify() {
        String old = tokens.encode(CURSOR);
        CursorToken rotated = tokens(key("k2", 2), key("k1", 1));
        assertThat(rotated.decode(old)).isEqualTo(CURSOR);
        assertThat(tokens(key("k2", 2)).decode(rotated.encode(CURSOR))).isEqualTo(CURSOR);
    }

    @Test
    void anUnknownKeyIsLookedForOnceInAWhile() {
        List<SigningKey> stored = new ArrayList<>(List.of(key("k1", 1)));
        AtomicInteger asked = new AtomicInteger();
        AtomicLong clock = new AtomicLong(-5);
        CursorToken here =
                new CursorToken(
                        new KeyRing(
                                () -> {
                                    asked.incrementAndGet();
                                    return stored;
                                },
                                clock::get));
        assertThat(here.decode(tokens.encode(CURSOR))).isEqualTo(CURSOR);
        assertThat(asked).hasValue(1);

        SigningKey newer = key("k2", 2);
        String elsewhere = tokens(newer).encode(CURSOR);
        stored.addFirst(newer);
        clock.addAndGet(TimeUnit.SECONDS.toNanos(4));
        refused(() -> here.decode(elsewhere), "does not have");
        assertThat(asked).hasValue(1);

        clock.addAndGet(TimeUnit.SECONDS.toNanos(1));
        assertThat(here.decode(elsewhere)).isEqualTo(CURSOR);
        assertThat(asked).hasValue(2);

        String unknown = tokens(key("k3", 3)).encode(CURSOR);
        for (int i = 0; i < 1_000; i++) {
            refused(() -> here.decode(unknown), "does not have");
        }
        assertThat(asked).hasValue(2);
    }

    @Test
    void aSourceThatFailsOnceIsAskedAgain() {
        AtomicInteger asked = new AtomicInteger();
        CursorToken here =
                new CursorToken(
                        new KeyRing(
                                () -> {
                                    if (asked.incrementAndGet() == 1) {
                                        throw new SpillwayException(ErrorCode.STORE_FAILED, "down");
                                    }
                                    return List.of(key("k1", 1));
                                }));
        assertThatThrownBy(() -> here.encode(CURSOR)).hasMessage("down");
        assertThat(here.decode(here.encode(CURSOR))).isEqualTo(CURSOR);
    }

    @Test
    void whatIsNotACursorCannotBeMade() {
        assertThatThrownBy(() -> new Cursor("", DIGEST, 0)).hasMessageContaining("job id");
        assertThatThrownBy(() -> new Cursor("j".repeat(65), DIGEST, 0)).hasMessageContaining("job");
        assertThatThrownBy(() -> new Cursor("j", "abc", 0)).hasMessageContaining("SHA-256");
        assertThatThrownBy(() -> new Cursor("j", DIGEST, -1)).hasMessageContaining("Negative");
    }

    private static void refused(ThrowingCallable call) {
        refused(call, "The cursor ");
    }

    private static void refused(ThrowingCallable call, String sentence) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        SpillwayException.class,
                        e -> {
                            assertThat(e.code()).isEqualTo(ErrorCode.INVALID_CURSOR);
                            assertThat(e.context()).containsEntry("parameter", "cursor");
                        })
                .hasMessageContaining(sentence);
    }
}
