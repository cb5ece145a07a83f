package io.spillway.operator.join;

/**
 * Two columns of one type that must be equal for two rows to match. NaN equals NaN, and zero minus
 * zero. Part of stored plans.
 *
 * @param left position in the left input
 * @param right position in the right input
 * @param nullSafe whether null matches null, as IS NOT DISTINCT FROM; else null matches nothing
 */
public record JoinKey(int left, int right, boolean nullSafe) {}
