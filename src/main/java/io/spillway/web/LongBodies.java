package io.spillway.web;

import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.server.reactive.HttpHandler;
import org.springframework.http.server.reactive.HttpHandlerDecoratorFactory;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.http.server.reactive.ServerHttpResponseDecorator;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/**
 * Sends bodies that go on for long after their requests have been handled. All that handles a
 * request (filters, arguments, what is observed) is some twenty kilobytes that live until it has
 * been; a body that is sent by its handler keeps them for as long as its reader stays.
 */
final class LongBodies implements HttpHandlerDecoratorFactory {

    @Override
    public HttpHandler apply(HttpHandler handler) {
        return (request, response) -> new Handling(handler, request, new Response(response));
    }

    /**
     * Has a body sent once its request has been handled, which then is to end well. A failure
     * before the first buffer is still a problem.
     *
     * @param abandon called, also more than once, if it will not be sent
     */
    static void handOver(ServerWebExchange exchange, Flux<DataBuffer> body, Runnable abandon) {
        ServerHttpResponse outer = exchange.getResponse();
        while (!(outer instanceof Response own)) {
            if (!(outer instanceof ServerHttpResponseDecorator decorator)) {
                throw new IllegalStateException("not a response of ours: " + outer.getClass());
            }
            outer = decorator.getDelegate();
        }
        AtomicReference<@Nullable ServerWebExchange> unanswered = new AtomicReference<>(exchange);
        String call = ProblemHandler.call(exchange);
        Mono<Void> sending =
                own.getDelegate()
                        .writeWith(body.doOnNext(first -> unanswered.set(null)))
                        .onErrorResume(failure -> failed(unanswered.get(), call, failure));
        own.take(new Body(sending, abandon));
    }

    private static Mono<Void> failed(
            @Nullable ServerWebExchange unanswered, String call, Throwable failure) {
        if (unanswered != null) {
            return ProblemHandler.answer(unanswered, failure);
        }
        ProblemHandler.logCutOff(call, failure);
        return Mono.error(failure);
    }

    private record Body(Mono<Void> sending, Runnable abandon) {

        /** For a request that is through with its handling. */
        static final Body NONE = new Body(Mono.empty(), () -> {});
    }

    /** What has been handed over is sent and completed later. */
    private static final class Response extends ServerHttpResponseDecorator {

        private final AtomicReference<@Nullable Body> body = new AtomicReference<>();

        Response(ServerHttpResponse delegate) {
            super(delegate);
        }

        void take(Body handedOver) {
            if (!body.compareAndSet(null, handedOver)) {
                // Handling was broken off meanwhile.
                handedOver.abandon().run();
            }
        }

        /** What has been handed over; nothing can be any more. */
        @Nullable Body takeBack() {
            return body.getAndSet(Body.NONE);
        }

        @Override
        public Mono<Void> setComplete() {
            return body.get() == null ? super.setComplete() : Mono.empty();
        }
    }

    /** A request's handling, then the sending of what has been handed over. */
    private static final class Handling extends Mono<Void> {

        private final HttpHandler handler;
        private final ServerHttpRequest request;
        private final Response response;

        Handling(HttpHandler handler, ServerHttpRequest request, Response response) {
            this.handler = handler;
            this.request = request;
            this.response = response;
        }

        @Override
        public void subscribe(CoreSubscriber<? super Void> subscriber) {
            Stages stages = new Stages(response, subscriber);
            subscriber.onSubscribe(stages);
            handler.handle(request, response).subscribe(stages);
        }
    }

    /** Holds the stage that is under way, and nothing of the one before. */
    private static final class Stages implements CoreSubscriber<Void>, Subscription {

        private static final AtomicReferenceFieldUpdater<Stages, @Nullable Subscription> STAGE =
                AtomicReferenceFieldUpdater.newUpdater(Stages.class, Subscription.class, "stage");

        private final Response response;
        private final CoreSubscriber<? super Void> subscriber;
        private volatile @Nullable Subscription stage;
        private boolean sending;
        private volatile Runnable abandon = Body.NONE.abandon();

        Stages(Response response, CoreSubscriber<? super Void> subscriber) {
            this.response = response;
            this.subscriber = subscriber;
        }

        @Override
        public Context currentContext() {
            return subscriber.currentContext();
        }

        @Override
        public void onSubscribe(Subscription next) {
            if (Operators.replace(STAGE, this, next)) {
                next.request(Long.MAX_VALUE);
            }
        }

        @Override
        public void onNext(Void nothing) {
            // There is none.
        }

        @Override
        public void onError(Throwable failure) {
            abandon();
            subscriber.onError(failure);
        }

        @Override
        public void onComplete() {
            Body body = response.takeBack();
            if (body == null || sending) {
                subscriber.onComplete();
            } else {
                sending = true;
                abandon = body.abandon();
                body.sending().subscribe(this);
            }
        }

        @Override
        public void request(long n) {
            // There is nothing to be had but the end.
        }

        @Override
        public void cancel() {
            Operators.terminate(STAGE, this);
            abandon();
        }

        private void abandon() {
            Body body = response.takeBack();
            if (body != null) {
                body.abandon().run();
            }
            abandon.run();
        }
    }
}
