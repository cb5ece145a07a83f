package io.spillway.web;

import java.util.function.Consumer;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import reactor.core.publisher.Flux;

/** Buffers that nobody takes any more because a reader left are released. */
final class Unwanted {

    /**
     * Reactor's name for what is told of values that come after a cancellation. Operators that time
     * out tell it, and not those who are told of what is discarded.
     */
    private static final String ON_NEXT_DROPPED = "reactor.onNextDropped.local";

    private Unwanted() {}

    /** The body, all of whose buffers are released, be they taken or not. */
    static Flux<DataBuffer> released(Flux<DataBuffer> body) {
        Consumer<Object> release = Unwanted::release;
        return body.doOnDiscard(DataBuffer.class, DataBufferUtils::release)
                .contextWrite(context -> context.put(ON_NEXT_DROPPED, release));
    }

    private static void release(Object value) {
        if (value instanceof DataBuffer buffer) {
            DataBufferUtils.release(buffer);
        }
    }
}
