package io.spillway.scan.text;

import io.spillway.batch.RowSchema;
import io.spillway.memory.MemoryPool;
import io.spillway.scan.InferredColumns;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One format of text with its options: records that each end with a line, and how columns come out
 * of them. Immutable, with {@code equals}: what is known of a file is kept for each syntax. All
 * memory that is passed can be read, but not used, up to 16 bytes behind its end.
 */
public interface TextSyntax {

    /** Its name in plans. */
    String name();

    /** Names of its options. */
    Set<String> options();

    /**
     * The same format with these options and no others.
     *
     * @throws io.spillway.error.SpillwayException {@code INVALID_PLAN} for a value that an option
     *     does not have
     */
    TextSyntax with(Map<String, ?> values);

    /**
     * What stands before the records.
     *
     * @param from the beginning of a text, behind a byte order mark
     * @param last whether the text ends at {@code to}
     * @return offsets from {@code from}; null if it does not end there
     * @throws TextFault if no text of this format begins so
     */
    @Nullable TextHead head(long from, long to, boolean last);

    /**
     * The state behind some bytes, so that a reader may start anywhere: what it has to know of what
     * came before. Between records it is 0.
     *
     * @param before the state in front of them
     */
    int state(int before, long from, long to);

    /**
     * The address behind the first end of a record, or -1 if no record ends in these bytes.
     *
     * @param state in front of them
     */
    long afterRecord(int state, long from, long to);

    /** A new survey of one partition; the caller closes it. */
    Surveyor surveyor(TextHead head);

    /** What nothing at all tells of columns: those of a file without records. */
    InferredColumns noRecords(TextHead head);

    /**
     * A reader of records.
     *
     * @param columns to decode, by name, of types that the survey said or that are wider
     * @param batchRows records that are found at most at a time
     */
    RecordReader reader(TextHead head, RowSchema columns, int batchRows, MemoryPool pool);

    /** What such a reader holds beside the text, its batch under way included. */
    long readerBytes(RowSchema columns, int batchRows, int window);
}
