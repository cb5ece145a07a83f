package io.spillway.scan.parquet.page;

import java.util.concurrent.CompletableFuture;

/**
 * The pages of one column chunk, one at a time, in order. Never waits: what is not there yet says
 * so. Used by one thread at a time.
 *
 * <p>A page is looked at ({@link #header}, {@link #info}), then either passed over ({@link #skip}),
 * for which its bytes are not needed, or taken ({@link #take}) once its bytes are there ({@link
 * #body}).
 */
public interface PageSource extends AutoCloseable {

    /** How far something is. */
    enum State {
        READY,
        /** Under way: ask again when {@link #waiting} is done. */
        WAITING,
        /** There are no more pages. */
        END
    }

    /**
     * Whether the next page's header is there.
     *
     * @throws io.spillway.error.SpillwayException {@code FILE_CORRUPT} if the chunk ends before its
     *     values, or the header is wrong; what stopped reading
     */
    State header();

    /** The header; only when {@link #header} said {@code READY}. */
    PageInfo info();

    /** Whether the next page's bytes are there too; only when its header is. */
    State body();

    /** What to wait for; only after {@code WAITING}. */
    CompletableFuture<?> waiting();

    /**
     * Checks the next page's checksum, has it decompressed, and moves on; only when its {@link
     * #body} is {@code READY}.
     *
     * @param page takes the bytes, in place of those it has
     * @param part how many of its first values are wanted for now; what only others need may be
     *     decompressed later, when they are asked for
     * @param readAhead whether the bytes of the page thereafter will be wanted
     */
    void take(Page page, int part, boolean readAhead);

    /** The same for a page all of whose values are wanted. */
    default void take(Page page, boolean readAhead) {
        take(page, info().values(), readAhead);
    }

    /** Moves on without looking at the next page's bytes; only when its header is there. */
    void skip();

    /** Gives up reads under way and frees all buffers but those that pages hold. */
    @Override
    void close();
}
