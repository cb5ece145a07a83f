package io.spillway.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.testing.EventStream;
import io.spillway.testing.EventStreamParser.Event;
import io.spillway.testing.HttpAnswer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What readers of events get of batches, and where they go on. */
class BatchEventsTest extends BatchCases {

    @Test
    void readersOfEventsGoOnWithAnotherNumberOfShards() throws IOException {
        String job = job("thousand", keep("id % 3 <> 1"));
        List<JsonNode> all = get(job, "size=10");
        List<JsonNode> seen = new ArrayList<>();
        String id = "";
        // Three readers up to batch 30, two of them cut twice on their way.
        for (int shard = 0; shard < 3; shard++) {
            String target = batches(job, "size=10&of=3&shard=" + shard);
            List<Event> events = new ArrayList<>();
            for (int part = 0; part < 3; part++) {
                String last = events.isEmpty() ? null : events.getLast().lastEventId();
                try (EventStream stream = EventStream.open(server.port(), target, last)) {
                    while (events.size() < (part + 1) * 10 / 3) {
                        events.add(stream.next("batch"));
                    }
                    stream.reset();
                }
            }
            seen.addAll(data(events));
            id = events.getLast().lastEventId();
        }
        // From there on two.
        for (int shard = 0; shard < 2; shard++) {
            String target = batches(job, "size=10&of=2&shard=" + shard);
            try (EventStream stream = EventStream.open(server.port(), target, id)) {
                List<Event> rest = stream.rest();
                seen.addAll(data(rest));
                JsonNode end = MAPPER.readTree(rest.getLast().data());
                assertThat(end.get("rowCount").longValue()).isEqualTo(667);
                assertThat(end.get("droppedRows").longValue()).isZero();
            }
        }
        assertThat(seen).containsExactlyInAnyOrderElementsOf(all);
    }

    @Test
    void aReaderOfEventsIsToldTheEnd() throws IOException {
        String job = job("rows");
        String target = batches(job, "size=4");
        try (EventStream stream = EventStream.open(server.port(), target, null)) {
            List<Event> events = stream.rest();
            assertThat(data(events)).isEqualTo(get(job, "size=4"));
            assertThat(events.getFirst().type()).isEqualTo("schema");
            assertThat(events.getLast().data())
                    .isEqualTo("{\"offset\":23,\"batches\":6,\"rowCount\":23,\"droppedRows\":0}");
            assertThat(events.getLast().id()).isEqualTo(job + ".end");
        }
        HttpAnswer over =
                server.http()
                        .call(
                                "GET",
                                target,
                                Map.of(
                                        "Accept",
                                        "text/event-stream",
                                        "Last-Event-ID",
                                        job + ".end"),
                                null);
        assertThat(over.status()).isEqualTo(204);
        try (EventStream stream =
                EventStream.open(server.port(), target + "&dropLast=true", null)) {
            assertThat(
                            MAPPER.readTree(stream.rest().getLast().data())
                                    .get("droppedRows")
                                    .intValue())
                    .isEqualTo(3);
        }
    }

    @Test
    void anIdThatIsNotAtTheStartOfABatchIsRefused() throws IOException {
        String job = job("rows");
        String id;
        try (EventStream stream = EventStream.open(server.port(), batches(job, "size=4"), null)) {
            id = stream.next("batch").lastEventId();
            stream.reset();
        }
        refused(batches(job, "size=3&format=sse&lastEventId=" + id), "Last-Event-ID");
        refused(batches(job, "size=4&order=any&format=sse&lastEventId=" + id), "Last-Event-ID");
    }
}
