package io.spillway.web;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.spillway.cursor.EventIds;
import io.spillway.delivery.Delivery;
import io.spillway.delivery.DeliveryService;
import io.spillway.delivery.DeliveryState;
import java.util.Collection;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** Deliveries as things that are watched. */
record WatchedDeliveries(DeliveryService deliveries, JsonMapper mapper)
        implements Watch.Subjects<Delivery, Delivery> {

    @JsonInclude(JsonInclude.Include.NON_NULL)
    private record StateData(DeliveryState state, @Nullable Map<String, Object> reason) {}

    private record ProgressData(DeliveryDocument.Progress progress) {}

    @Override
    public String id(Delivery delivery) {
        return delivery.id();
    }

    @Override
    public String endId(Delivery delivery) {
        return eventIds(delivery).end();
    }

    static EventIds eventIds(Delivery delivery) {
        return new EventIds(delivery.id(), delivery.job());
    }

    @Override
    public Delivery progress(Delivery delivery) {
        return deliveries.get(delivery.owner(), delivery.id());
    }

    @Override
    public Map<String, Delivery> progress(Collection<Delivery> some) {
        return deliveries.look(some.stream().map(Delivery::id).toList()).stream()
                .collect(Collectors.toMap(Delivery::id, Function.identity()));
    }

    @Override
    public Look look(Delivery delivery) {
        return new Look(
                mapper.writeValueAsString(
                        new StateData(
                                delivery.state(), DeliveryDocument.reason(delivery.reason()))),
                mapper.writeValueAsString(
                        new ProgressData(
                                DeliveryDocument.Progress.of(
                                        delivery.progress(), deliveries.rows(delivery)))),
                delivery.state().isEnd());
    }

    /** It went with its job. */
    @Override
    public Look gone(Look before) {
        return new Look(
                mapper.writeValueAsString(new StateData(DeliveryState.CANCELED, null)),
                before.progress(),
                true);
    }
}
