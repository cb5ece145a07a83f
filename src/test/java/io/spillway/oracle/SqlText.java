package io.spillway.oracle;

/**
 * One expression in both dialects, so written that it means the same.
 *
 * @param spillway as it stands in a plan
 * @param duckdb as it stands in DuckDB SQL
 */
record SqlText(String spillway, String duckdb) {

    /** Text that both dialects share. */
    static SqlText same(String text) {
        return new SqlText(text, text);
    }

    /** A template of both dialects with {@code %s} for each part. */
    static SqlText of(String template, SqlText... parts) {
        return of(template, template, parts);
    }

    /** A template for each dialect with {@code %s} for each part. */
    static SqlText of(String spillway, String duckdb, SqlText... parts) {
        Object[] left = new Object[parts.length];
        Object[] right = new Object[parts.length];
        for (int i = 0; i < parts.length; i++) {
            left[i] = parts[i].spillway();
            right[i] = parts[i].duckdb();
        }
        return new SqlText(spillway.formatted(left), duckdb.formatted(right));
    }
}
