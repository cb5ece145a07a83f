package io.spillway.delivery.http;

import io.netty.resolver.AbstractAddressResolver;
import io.netty.resolver.AddressResolver;
import io.netty.resolver.AddressResolverGroup;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import java.net.InetSocketAddress;
import java.util.List;

/**
 * Resolves hosts to those of their addresses that requests may go to, for each connection anew. The
 * channel connects to what comes out here and to nothing else, so what is checked is what is
 * connected to. Literal addresses come through here too.
 */
final class FilteredNames extends AddressResolverGroup<InetSocketAddress> {

    private final AddressRules rules;
    private final AddressResolverGroup<InetSocketAddress> names;

    /**
     * @param names taken over: closed with this
     */
    FilteredNames(AddressRules rules, AddressResolverGroup<InetSocketAddress> names) {
        this.rules = rules;
        this.names = names;
    }

    @Override
    protected AddressResolver<InetSocketAddress> newResolver(EventExecutor executor) {
        return new Filtered(executor, names.getResolver(executor));
    }

    @Override
    public void close() {
        super.close();
        names.close();
    }

    private final class Filtered extends AbstractAddressResolver<InetSocketAddress> {

        private final AddressResolver<InetSocketAddress> resolver;

        Filtered(EventExecutor executor, AddressResolver<InetSocketAddress> resolver) {
            super(executor, InetSocketAddress.class);
            this.resolver = resolver;
        }

        /** Never: an address that counts as resolved would be connected to without a question. */
        @Override
        protected boolean doIsResolved(InetSocketAddress address) {
            return false;
        }

        @Override
        protected void doResolve(InetSocketAddress host, Promise<InetSocketAddress> promise) {
            Promise<List<InetSocketAddress>> all = executor().newPromise();
            doResolveAll(host, all);
            all.addListener(
                    done -> {
                        if (done.isSuccess()) {
                            promise.trySuccess(all.getNow().getFirst());
                        } else {
                            promise.tryFailure(done.cause());
                        }
                    });
        }

        @Override
        protected void doResolveAll(
                InetSocketAddress host, Promise<List<InetSocketAddress>> promise) {
            if (!host.isUnresolved()) {
                filter(host, List.of(host), promise);
                return;
            }
            resolver.resolveAll(host)
                    .addListener(
                            (Future<List<InetSocketAddress>> done) -> {
                                if (done.isSuccess()) {
                                    filter(host, done.getNow(), promise);
                                } else {
                                    promise.tryFailure(done.cause());
                                }
                            });
        }

        private void filter(
                InetSocketAddress host,
                List<InetSocketAddress> addresses,
                Promise<List<InetSocketAddress>> promise) {
            List<InetSocketAddress> allowed =
                    addresses.stream()
                            .filter(a -> rules.allows(host.getHostString(), a.getAddress()))
                            .toList();
            if (allowed.isEmpty()) {
                promise.tryFailure(new NotAllowedException());
            } else {
                promise.trySuccess(allowed);
            }
        }
    }

    /** The host has no address that requests may go to. */
    static final class NotAllowedException extends RuntimeException {
        NotAllowedException() {
            super("no address is allowed", null, false, false);
        }
    }
}
