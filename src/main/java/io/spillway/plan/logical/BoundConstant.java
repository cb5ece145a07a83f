package io.spillway.plan.logical;

import io.spillway.batch.ColumnType;
import io.spillway.batch.ColumnType.TimeUnit;
import io.spillway.plan.document.TemporalText;
import java.time.Instant;
import java.util.Locale;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;
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

    /** The moment as a literal of SQL. */
    SqlNode literal(Instant now, SqlParserPos pos) {
        Moment moment = Moment.of(now);
        SqlNode timestamp =
                SqlLiteral.createTimestamp(SqlTypeName.TIMESTAMP, moment.timestamp, DIGITS, pos);
        return switch (this) {
            case CURRENT_TIMESTAMP ->
                    SqlStdOperatorTable.CAST.createCall(
                            pos,
                            timestamp,
                            SqlTypeUtil.convertTypeToSpec(
                                    TypeMapping.toRel(
                                            new ColumnType.Timestamp(TimeUnit.MICRO, true),
                                            false)));
            case LOCALTIMESTAMP -> timestamp;
            case CURRENT_DATE -> SqlLiteral.createDate(moment.date, pos);
            case CURRENT_TIME, LOCALTIME -> SqlLiteral.createTime(moment.time, DIGITS, pos);
        };
    }

    RexNode bind(Instant now, RexBuilder builder) {
        Moment moment = Moment.of(now);
        return switch (this) {
            case CURRENT_TIMESTAMP ->
                    builder.makeTimestampWithLocalTimeZoneLiteral(moment.timestamp, DIGITS);
            case LOCALTIMESTAMP -> builder.makeTimestampLiteral(moment.timestamp, DIGITS);
            case CURRENT_DATE -> builder.makeDateLiteral(moment.date);
            case CURRENT_TIME, LOCALTIME -> builder.makeTimeLiteral(moment.time, DIGITS);
        };
    }

    /** A moment in UTC in Calcite's forms. */
    private record Moment(TimestampString timestamp, DateString date, TimeString time) {

        static Moment of(Instant now) {
            long micros = TemporalText.instant(now, TimeUnit.MICRO);
            long millis = Math.floorDiv(micros, MICROS_PER_MILLI);
            int nanos = (int) (Math.floorMod(micros, 1_000_000L) * 1_000);
            return new Moment(
                    TimestampString.fromMillisSinceEpoch(millis).withNanos(nanos),
                    DateString.fromDaysSinceEpoch((int) Math.floorDiv(millis, MILLIS_PER_DAY)),
                    TimeString.fromMillisOfDay((int) Math.floorMod(millis, MILLIS_PER_DAY))
                            .withNanos(nanos));
        }
    }
}
