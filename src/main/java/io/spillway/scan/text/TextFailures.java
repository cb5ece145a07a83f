package io.spillway.scan.text;

import io.spillway.error.SpillwayException;

/** Faults in texts as exceptions that name file, line and column. */
final class TextFailures {

    private TextFailures() {}

    /**
     * @param line 1-based
     */
    static SpillwayException of(TextFault fault, String file, long line) {
        String place =
                fault.column() == null
                        ? "'%s' in line %,d ".formatted(file, line)
                        : "'%s' in line %,d, column '%s', ".formatted(file, line, fault.column());
        return new SpillwayException(fault.code(), place + fault.text(), fault)
                .with(SpillwayException.FILE, file)
                .with(SpillwayException.LINE, line)
                .with(SpillwayException.COLUMN, fault.column());
    }

    /** A fault in bytes whose first one begins a line. */
    static SpillwayException of(TextFault fault, String file, long line, long from) {
        return of(fault, file, line + Swar.count(from, fault.address(), (byte) '\n'));
    }
}
