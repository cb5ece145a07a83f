package io.spillway.job;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

/** What goes wrong with the database, made typed. */
public final class StoreFailures {

    private StoreFailures() {}

    /**
     * Calls the database.
     *
     * @throws SpillwayException {@code STORE_FAILED} if that fails
     */
    public static <T extends @Nullable Object> T run(Supplier<T> call) {
        try {
            return call.get();
        } catch (DataAccessException | TransactionException e) {
            throw new SpillwayException(ErrorCode.STORE_FAILED, "The job store does not answer", e);
        }
    }
}
