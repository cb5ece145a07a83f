package io.spillway.cursor;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The ids of the events of one job's streams.
 *
 * <pre>
 *   JOB.ROW.CHECKSUM   the number of the row that comes next, in decimal digits without leading zeros;
 *                      the checksum has eight hex digits
 *   JOB.end            after the last row
 * </pre>
 *
 * The checksum covers the job, its digest (plan with snapshot) and the row, so that an id which was
 * damaged, or belongs to another job or to another snapshot, is told from one that was given out.
 * It keeps out accidents, not attackers: an id grants nothing. Immutable.
 */
public final class EventIds {

    private static final Pattern NEXT = Pattern.compile("(0|[1-9][0-9]{0,18})\\.([0-9a-f]{8})");
    private static final HexFormat HEX = HexFormat.of();

    private final String prefix;
    private final long seed;

    /**
     * @param jobId the job's public identifier
     * @param digest the job's digest, SHA-256 in lower-case hex
     */
    public EventIds(String jobId, String digest) {
        this.prefix = jobId + ".";
        long hash = HexFormat.fromHexDigitsToLong(digest, 0, 16);
        for (int i = 0; i < jobId.length(); i++) {
            hash = mixed(hash + jobId.charAt(i));
        }
        this.seed = hash;
    }

    /** The id of an event after which row {@code row} comes next. */
    public String next(long row) {
        return prefix + row + "." + HEX.toHexDigits(checksum(row));
    }

    /** The id of the event that says that there are no more rows. */
    public String end() {
        return prefix + "end";
    }

    /**
     * Reads an id.
     *
     * @param parameter the name of the header or parameter that it came in
     * @throws SpillwayException {@code INVALID_EVENT_ID} if it is damaged, or was not given out by
     *     this job
     */
    public EventId parse(String id, String parameter) {
        if (!id.startsWith(prefix)) {
            throw invalid(parameter, "The event id is not one of this job");
        }
        String position = id.substring(prefix.length());
        if (position.equals("end")) {
            return new EventId.End();
        }
        Matcher next = NEXT.matcher(position);
        if (!next.matches()) {
            throw invalid(parameter, "The event id is damaged");
        }
        long row;
        try {
            row = Long.parseLong(next.group(1));
        } catch (NumberFormatException e) {
            throw invalid(parameter, "The event id is damaged");
        }
        if (HexFormat.fromHexDigits(next.group(2)) != checksum(row)) {
            throw invalid(
                    parameter,
                    "The event id is damaged, or belongs to another plan or snapshot of this job");
        }
        return new EventId.Next(row);
    }

    private int checksum(long row) {
        return (int) (mixed(seed + row) >>> 32);
    }

    /** The finalizer of SplitMix64 (Steele, Lea, Flood, 2014): each bit of it depends on all. */
    private static long mixed(long value) {
        long z = value + 0x9e3779b97f4a7c15L;
        z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }

    private static SpillwayException invalid(String parameter, String sentence) {
        return new SpillwayException(ErrorCode.INVALID_EVENT_ID, sentence)
                .with(SpillwayException.PARAMETER, parameter);
    }
}
