package io.spillway.testing;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/**
 * What this process logs from now on until it is closed, at warnings and above, whoever logs it.
 */
public final class LogLines extends AppenderBase<ILoggingEvent> implements AutoCloseable {

    private final Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    private final List<String> lines = new CopyOnWriteArrayList<>();

    private LogLines() {}

    /** Begins to listen; a service must have been started before, which sets logging up. */
    public static LogLines listen() {
        LogLines lines = new LogLines();
        lines.setContext(lines.root.getLoggerContext());
        lines.start();
        lines.root.addAppender(lines);
        return lines;
    }

    @Override
    protected void append(ILoggingEvent event) {
        if (event.getLevel().isGreaterOrEqual(Level.WARN)) {
            IThrowableProxy thrown = event.getThrowableProxy();
            lines.add(
                    event.getLevel()
                            + " "
                            + event.getLoggerName()
                            + ": "
                            + event.getFormattedMessage()
                            + (thrown == null ? "" : "\n" + ThrowableProxyUtil.asString(thrown)));
        }
    }

    /** What was logged so far, with stack traces. */
    public List<String> warnings() {
        return List.copyOf(lines);
    }

    @Override
    public void close() {
        root.detachAppender(this);
        stop();
    }
}
