package io.spillway.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spillway.testing.EventStreamParser;
import io.spillway.testing.EventStreamParser.Event;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.Chars;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Events as text, and what a strict reader makes of it. */
class ServerSentEventsTest {

    private static String text(byte[] utf8) {
        return new String(utf8, StandardCharsets.UTF_8);
    }

    @Test
    void anEventHasItsNameItsDataAndItsId() {
        assertThat(text(ServerSentEvents.event("end", "{\"rows\":3}", "j.end")))
                .isEqualTo("event: end\ndata: {\"rows\":3}\nid: j.end\n\n");
        assertThat(text(ServerSentEvents.event("progress", "")))
                .isEqualTo("event: progress\ndata: \n\n");
        assertThat(text(ServerSentEvents.comment(""))).isEqualTo(": \n\n");
        assertThat(text(ServerSentEvents.retry(Duration.ofSeconds(2))))
                .isEqualTo("retry: 2000\n\n");
    }

    @Property
    void anyDataComesBackWithItsLineBreaksAsLineFeeds(
            @ForAll
                    @StringLength(max = 40)
                    @Chars({'\r', '\n', ':', ' ', '\0', '\u2028', '\uFEFF', 'é'})
                    @CharRange(from = 'a', to = 'e')
                    String data) {
        String stream =
                text(ServerSentEvents.comment(data))
                        + text(ServerSentEvents.event("t", data, "7"))
                        + text(ServerSentEvents.comment(data));
        assertThat(EventStreamParser.parse(stream))
                .containsExactly(
                        new Event("t", "7", "7", data.replace("\r\n", "\n").replace('\r', '\n')));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\nb", "a\rb", "a\0b"})
    void namesAndIdsAreOnOneLine(String text) {
        assertThatThrownBy(() -> ServerSentEvents.event(text, "x"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ServerSentEvents.event("x", "x", text))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
