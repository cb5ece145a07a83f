package io.spillway.web;

import io.spillway.cursor.EventIds;
import io.spillway.encode.GroupFormat;
import io.spillway.job.Reading;
import java.util.function.LongFunction;

/**
 * A stream of events that is to be sent.
 *
 * @param reading what is read
 * @param format how rows are written as events; the reading's
 * @param ids the job's
 * @param end what the {@code end} event tells, by the position that would come next; asked when all
 *     rows have been read
 */
record EventAnswer(Reading reading, GroupFormat format, EventIds ids, LongFunction<Object> end) {}
