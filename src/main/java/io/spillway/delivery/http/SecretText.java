package io.spillway.delivery.http;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A text that may name secrets, as {@code Bearer {secret:NAME}}. This is what is stored and shown;
 * the values take the places of their names only while a request is made.
 *
 * @param text as the client wrote it
 */
public record SecretText(String text) {

    private static final Pattern REFERENCE = Pattern.compile("\\{secret:([A-Za-z0-9._-]{1,100})}");
    private static final String OPENING = "{secret:";

    /**
     * @throws SpillwayException INVALID_PLAN where a reference is begun and not well formed
     */
    public SecretText {
        if (REFERENCE.matcher(text).replaceAll("").contains(OPENING)) {
            throw new SpillwayException(
                    ErrorCode.INVALID_PLAN,
                    "A secret is named as {secret:NAME}, with letters, digits, '.', '_' and '-'");
        }
    }

    /** Whether at least one secret is named. */
    public boolean namesSecret() {
        return REFERENCE.matcher(text).find();
    }

    /** The secrets named, in order. */
    public List<String> names() {
        return REFERENCE.matcher(text).results().map(match -> match.group(1)).distinct().toList();
    }

    /**
     * The text with the values in it. Not for logs, messages or the store.
     *
     * @throws SpillwayException UNKNOWN_SECRET
     */
    String reveal(Secrets secrets) {
        return REFERENCE
                .matcher(text)
                .replaceAll(match -> Matcher.quoteReplacement(value(match, secrets)));
    }

    private static String value(MatchResult match, Secrets secrets) {
        String name = match.group(1);
        String value = secrets.find(name);
        if (value == null) {
            throw new SpillwayException(
                            ErrorCode.UNKNOWN_SECRET,
                            "No secret named '" + name + "' is configured")
                    .with("secret", name);
        }
        return value;
    }
}
