package io.spillway.encode;

/** How rows are written. */
public sealed interface RowFormat
        permits JsonFormat, CsvFormat, ArrowFormat, GroupFormat, CappedFormat {}
