package io.spillway.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spillway.testing.EventStreamParser.Event;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The examples of the HTML Standard, and what it has a browser overlook. */
class EventStreamParserTest {

    private static List<String> data(String text) {
        return EventStreamParser.parse(text).stream().map(Event::data).toList();
    }

    @Test
    void linesOfDataAreJoined() {
        assertThat(data("data: YHOO\ndata: +2\ndata: 10\n\n")).containsExactly("YHOO\n+2\n10");
    }

    @Test
    void oneSpaceAfterTheColonIsNotData() {
        assertThat(data("data:test\n\ndata: test\n\ndata:  test\n\n"))
                .containsExactly("test", "test", " test");
    }

    @Test
    void emptyDataIsAnEventOfItsOwn() {
        assertThat(data("data\n\ndata\ndata\n\n")).containsExactly("", "\n");
    }

    @Test
    void commentsAndIdsAndTypesAreToldApart() {
        EventStreamParser parser = new EventStreamParser();
        List<Event> events =
                parser.feed(
                        ": test stream\n\nretry: 250\n\ndata: first\nid: 1\n\nevent: add\ndata:second\n\nid\ndata:  third\n\n"
                                .getBytes(StandardCharsets.UTF_8));
        assertThat(events)
                .containsExactly(
                        new Event("message", "1", "1", "first"),
                        new Event("add", null, "1", "second"),
                        new Event("message", "", "", " third"));
        assertThat(parser.comments()).containsExactly(" test stream");
        assertThat(parser.retry()).hasValue(250);
        assertThat(parser.lastEventId()).isEmpty();
    }

    @Test
    void allThreeEndsOfLinesAreEndsHoweverTheBytesArrive() {
        byte[] bytes =
                "\uFEFFdata: ä\r\ndata: b\r\r\nid: 7\rdata: c\n\n".getBytes(StandardCharsets.UTF_8);
        EventStreamParser parser = new EventStreamParser();
        List<Event> events = new ArrayList<>();
        for (int i = 0; i < bytes.length; i++) {
            events.addAll(parser.feed(bytes, i, i + 1));
        }
        assertThat(events)
                .containsExactly(
                        new Event("message", null, "", "ä\nb"),
                        new Event("message", "7", "7", "c"));
        assertThat(parser.settledBytes()).isEqualTo(bytes.length);
    }

    @Test
    void whatHasNoEndIsNoEvent() {
        EventStreamParser parser = new EventStreamParser();
        byte[] whole = "id: 1\ndata: a\n\n".getBytes(StandardCharsets.UTF_8);
        assertThat(parser.feed(whole)).hasSize(1);
        assertThat(parser.feed("id: 2\ndata: b\n".getBytes(StandardCharsets.UTF_8))).isEmpty();
        assertThat(parser.atRest()).isFalse();
        assertThat(parser.lastEventId()).isEqualTo("1");
        assertThat(parser.settledBytes()).isEqualTo(whole.length);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "dat: a\n\n",
                "Data: a\n\n",
                "data : a\n\n",
                "id: 1\0\ndata: a\n\n",
                "retry: 1s\n\n",
                "event: rows\n\n",
                "data: a\n"
            })
    void whatABrowserWouldOverlookFails(String text) {
        assertThatThrownBy(() -> EventStreamParser.parse(text)).isInstanceOf(AssertionError.class);
    }
}
