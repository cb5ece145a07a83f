package io.spillway.oracle;

/**
 * Makes queries with queries in them over tables {@code t(id, k, v, s)} and {@code u(id, k, w, s)},
 * whose {@code id} numbers the rows. Both dialects say the same; what orders the rows that Spillway
 * keeps in order is said to DuckDB alone.
 */
final class SubQueries {

    private final Choices choices;

    SubQueries(Choices choices) {
        this.choices = choices;
    }

    SqlText make() {
        return switch (choices.below(4)) {
            case 0 -> rows();
            case 1 -> groups();
            case 2 -> set();
            default -> distinct();
        };
    }

    /** In the order of the table. */
    private SqlText rows() {
        String text =
                with()
                        + "SELECT a.id, a.k, a.v, %s AS q FROM %s AS a WHERE %s"
                                .formatted(scalar(), source(), condition(2));
        return new SqlText(text, text + " ORDER BY a.id");
    }

    /** In the order of the groups' first rows. */
    private SqlText groups() {
        String text =
                with()
                        + ("SELECT a.k, COUNT(*) AS n, SUM(a.v) AS total, MIN(a.s) AS least FROM %s"
                                        + " AS a WHERE %s GROUP BY a.k HAVING COUNT(*) > %s")
                                .formatted(
                                        source(),
                                        condition(1),
                                        choices.oneOf("0", "2", "(SELECT COUNT(*) / 50 FROM u)"));
        return new SqlText(text, text.replace("/ 50", "// 50") + " ORDER BY MIN(a.id)");
    }

    private SqlText set() {
        String operation =
                choices.oneOf(
                        "UNION ALL", "UNION", "INTERSECT", "EXCEPT", "INTERSECT ALL", "EXCEPT ALL");
        return SqlText.same(
                with()
                        + "SELECT * FROM (SELECT a.k, a.s FROM %s AS a WHERE %s %s SELECT k, s FROM u)"
                                .formatted(source(), condition(1), operation)
                        + " AS x ORDER BY k NULLS FIRST, s NULLS LAST");
    }

    private SqlText distinct() {
        return SqlText.same(
                with()
                        + "SELECT DISTINCT a.k, %s AS q FROM %s AS a WHERE %s"
                                .formatted(scalar(), source(), condition(1))
                        + " ORDER BY 1 NULLS FIRST, 2");
    }

    private static String with() {
        return "WITH c AS (SELECT id, k, v, s FROM t WHERE v > 10 OR k IS NULL) ";
    }

    private String source() {
        return choices.oneOf(
                "t",
                "c",
                "(SELECT id, k, v + 1 AS v, s FROM t WHERE id % 3 <> 1)",
                "(SELECT t.id, t.k, x.w AS v, t.s FROM t JOIN (SELECT k, MAX(w) AS w FROM u GROUP"
                        + " BY k) AS x ON t.k = x.k)");
    }

    private String condition(int depth) {
        return switch (depth == 0 ? 0 : choices.below(4)) {
            case 0, 1 -> simple();
            case 2 -> "(%s AND %s)".formatted(condition(depth - 1), condition(depth - 1));
            default -> "(%s OR %s)".formatted(condition(depth - 1), condition(depth - 1));
        };
    }

    private String simple() {
        String not = choices.chance(40) ? "NOT " : "";
        return switch (choices.below(6)) {
            case 0 -> "a.v " + choices.oneOf("<", ">=", "<>") + " " + choices.below(100);
            case 1 -> "a.k %sIN (SELECT k FROM u WHERE %s)".formatted(not, inner());
            case 2 -> not + "EXISTS (SELECT 1 FROM u WHERE u.k = a.k AND %s)".formatted(inner());
            case 3 ->
                    not
                            + "EXISTS (SELECT 1 FROM u WHERE u.k = a.k AND u.w %s a.v)"
                                    .formatted(choices.oneOf(">", "<=", "<>"));
            case 4 -> "a.v %s %s".formatted(choices.oneOf("<", ">", "="), scalar());
            default ->
                    "a.s %sIN (SELECT u.s FROM u WHERE u.k = a.k AND %s)".formatted(not, inner());
        };
    }

    private String inner() {
        return choices.oneOf(
                "u.w > 50", "u.k IS NOT NULL", "u.w IS NULL", "u.w < 0", "u.s LIKE 'b%'");
    }

    /** A value for each row, or for all of them. */
    private String scalar() {
        String aggregate =
                choices.oneOf(
                        "COUNT(*)", "MAX(u.w)", "MIN(u.w)", "SUM(u.w)", "COUNT(DISTINCT u.w)");
        return choices.chance(60)
                ? "(SELECT %s FROM u WHERE u.k = a.k AND %s)".formatted(aggregate, inner())
                : "(SELECT %s FROM u WHERE %s)".formatted(aggregate, inner());
    }
}
