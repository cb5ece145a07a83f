package io.spillway.plan.logical;

import io.spillway.batch.ColumnType.TimeUnit;
import io.spillway.plan.document.TemporalText;
import java.time.Instant;
import java.util.Locale;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.util.DateString;
import org.apache.calcite.util.TimeString;
import org.apache.calcite.util.TimestampString;
import org.jspecify.annotations.Nullable;

/**
 * Names that stand for the moment at which the plan was submitted. They are bound once a plan, to
 * the microsecond, in UTC: a job gives the same rows whenever it is read.
 */
enum BoundConstant {
    /** An instant. */
    CURRENT_TIMESTAMP,
    /** The same as local date and time. */
    LOCALTIMESTAMP,
    CURRENT_DATE,
    CURRENT_TIME,
    LOCALTIME;

    private static final int DIGITS = 6;
    private static final long MICROS_PER_MILLI = 1_000;
    private static final long MILLIS_PER_DAY = 86_400_000;

    static @Nullable BoundConstant find(String name) {
        String upper = name.toUpperCase(Locale.ROOT);
        for (BoundConstant constant : values()) {
            if (constant.name().equals(upper)) {
                return constant;
            }
        }
        return null;
    }

    /** A name that no text can hold, so that no column has it. */
    String identifier() {
        return "\0" + name();
    }

    RexNode bind(Instant now, RexBuilder builder) {
        long micros = TemporalText.instant(now, TimeUnit.MICRO);
        long millis = Math.floorDiv(micros, MICROS_PER_MILLI);
        int nanos = (int) (Math.floorMod(micros, 1_000_000L) * 1_000);
        TimestampString timestamp = TimestampString.fromMillisSinceEpoch(millis).withNanos(nanos);
        TimeString time =
                TimeString.fromMillisOfDay((int) Math.floorMod(millis, MILLIS_PER_DAY))
                        .withNanos(nanos);
        return switch (this) {
            case CURRENT_TIMESTAMP ->
                    builder.makeTimestampWithLocalTimeZoneLiteral(timestamp, DIGITS);
            case LOCALTIMESTAMP -> builder.makeTimestampLiteral(timestamp, DIGITS);
            case CURRENT_DATE ->
                    builder.makeDateLiteral(
                            DateString.fromDaysSinceEpoch(
                                    (int) Math.floorDiv(millis, MILLIS_PER_DAY)));
            case CURRENT_TIME, LOCALTIME -> builder.makeTimeLiteral(time, DIGITS);
        };
    }
}
