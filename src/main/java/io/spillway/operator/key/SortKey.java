package io.spillway.operator.key;

/**
 * One key of an order: a column, its direction, and where its nulls go. Part of stored plans.
 *
 * @param column position of the column
 * @param descending greatest first; NaN is the greatest of all numbers
 * @param nullsFirst nulls come before all values, whatever the direction; else after them
 */
public record SortKey(int column, boolean descending, boolean nullsFirst) {}
