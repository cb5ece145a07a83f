package io.spillway.cursor;

import java.time.Instant;
import javax.crypto.SecretKey;

/** A secret that signs tokens; named in each token, so that keys can be rotated. */
public record SigningKey(String id, SecretKey secret, Instant createdAt) {}
