package io.spillway.cursor;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The signing keys, as last seen at their source. Another replica may have made a newer key: a key
 * id that is not known makes the ring ask its source again, but at most once every five seconds, so
 * that made-up key ids cannot turn into load on the source. Thread-safe.
 */
public final class KeyRing {

    private static final Duration REFRESH_INTERVAL = Duration.ofSeconds(5);

    private final Supplier<List<SigningKey>> source;
    private final LongSupplier nanoClock;
    private final ReentrantLock refreshing = new ReentrantLock();
    private volatile @Nullable Loaded loaded;

    /** Keys, newest first, and the clock's reading when they were asked for. */
    private record Loaded(List<SigningKey> keys, long atNanos) {}

    /**
     * A ring that asks its source when it is first used.
     *
     * @param source the keys, newest first and never none, for example {@code
     *     JobStore::signingKeys}; it may wait, and what it throws goes through to the caller
     */
    public KeyRing(Supplier<List<SigningKey>> source) {
        this(source, System::nanoTime);
    }

    KeyRing(Supplier<List<SigningKey>> source, LongSupplier nanoClock) {
        this.source = source;
        this.nanoClock = nanoClock;
    }

    /** The key to sign with. The first call waits for the source. */
    SigningKey newest() {
        return current().keys().getFirst();
    }

    /**
     * The key with an id, or null if the source has none. The first call, and a call with an
     * unknown id, may wait for the source.
     */
    @Nullable SigningKey find(String id) {
        Loaded seen = current();
        SigningKey key = in(seen.keys(), id);
        if (key == null && stale(seen)) {
            key = in(reload(seen).keys(), id);
        }
        return key;
    }

    private Loaded current() {
        Loaded seen = loaded;
        return seen == null ? reload(null) : seen;
    }

    /** Asks the source, unless another thread did so since {@code seen} was read. */
    @SuppressWarnings("ReferenceEquality") // is it the same reading, not: are the keys the same
    private Loaded reload(@Nullable Loaded seen) {
        refreshing.lock();
        try {
            Loaded now = loaded;
            if (now != null && now != seen) {
                return now;
            }
            long asked = nanoClock.getAsLong();
            List<SigningKey> keys = List.copyOf(source.get());
            if (keys.isEmpty()) {
                throw new SpillwayException(ErrorCode.INTERNAL, "There is no signing key");
            }
            Loaded fresh = new Loaded(keys, asked);
            loaded = fresh;
            return fresh;
        } finally {
            refreshing.unlock();
        }
    }

    private boolean stale(Loaded seen) {
        return nanoClock.getAsLong() - seen.atNanos() >= REFRESH_INTERVAL.toNanos();
    }

    private static @Nullable SigningKey in(List<SigningKey> keys, String id) {
        for (SigningKey key : keys) {
            if (key.id().equals(id)) {
                return key;
            }
        }
        return null;
    }
}
