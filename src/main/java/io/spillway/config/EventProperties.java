package io.spillway.config;

import io.spillway.web.EventSettings;
import java.time.Duration;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How streams of server-sent events are written.
 *
 * @param rows rows of an event unless asked otherwise
 * @param maxRows the most rows of an event that may be asked for
 * @param heartbeat a comment is sent after so long a time without anything else
 * @param retry how long a client waits before it connects again
 */
public record EventProperties(
        @DefaultValue("100") int rows,
        @DefaultValue("10000") int maxRows,
        @DefaultValue("15s") Duration heartbeat,
        @DefaultValue("2s") Duration retry) {

    public EventProperties {
        Require.positive("spillway.events.rows", rows);
        Require.that(
                rows <= maxRows, "spillway.events.rows must not be over spillway.events.max-rows");
        Require.positive("spillway.events.heartbeat", heartbeat);
        Require.positive("spillway.events.retry", retry);
    }

    /** The same for the HTTP interface. */
    EventSettings settings() {
        return new EventSettings(rows, maxRows, heartbeat, retry);
    }
}
