package io.spillway.web;

import java.time.Duration;

/**
 * How streams of server-sent events are written.
 *
 * @param rows rows of an event unless asked otherwise
 * @param maxRows the most rows of an event that may be asked for
 * @param heartbeat a comment is sent after so long a time without anything else
 * @param retry how long a client waits before it connects again
 */
public record EventSettings(int rows, int maxRows, Duration heartbeat, Duration retry) {}
