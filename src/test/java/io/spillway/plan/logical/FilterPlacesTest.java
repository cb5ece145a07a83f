package io.spillway.plan.logical;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.plan.physical.Explain;
import io.spillway.plan.physical.PhysicalPlan;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where filters are tested, below and above operators that look at all rows. */
class FilterPlacesTest {

    /** The operators' own lines, in order, without columns. */
    private static String text(PhysicalPlan plan) {
        return Explain.text(plan)
                .lines()
                .map(String::strip)
                .filter(
                        line ->
                                line.matches(
                                        "(Filter|Sort|Distinct|Aggregate|Window|Join)\\b.*|Scan.*"))
                .map(line -> line.replaceFirst("Scan parquet.*", "Scan"))
                .collect(Collectors.joining(" / "));
    }

    private static String query(Set<OptimizerRule> rules, String sql) {
        return text(Plans.query(Plans.CATALOG, rules, sql).plan());
    }

    private static String query(String sql) {
        return query(EnumSet.allOf(OptimizerRule.class), sql);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '§',
            value = {
                "{`op`: `sort`, `by`: [`id`]} | id > 1 | Sort id / Filter id > 1 / Scan",
                "{`op`: `sort`, `by`: [`id`]} | 10 / i > 1 | Filter (10 / i) > 1 / Sort id / Scan",
                "{`op`: `sort`, `by`: [`id`]} | 10 / i > 1 AND i > 2 | Filter (10 / i) > 1 / Sort"
                        + " id / Filter i > 2 / Scan",
                "{`op`: `distinct`, `on`: [`id`, `i`]} | id > 1 AND i > 2 AND A > 3 | Filter A > 3"
                        + " / Distinct id, i / Filter (id > 1) AND (i > 2) / Scan",
                "{`op`: `aggregate`, `by`: [`city`, `i + 1 AS i`], `measures`: {`A`: `COUNT(*)`}} |"
                        + " city = 'x' AND i > 5 AND A > 3 | Filter A > 3 / Aggregate by city, i /"
                        + " Filter (city = 'x') AND ((i + 1) > 5) / Scan",
                "{`op`: `aggregate`, `measures`: {`n`: `COUNT(*)`}} | n > 3 | Filter n > 3 /"
                        + " Aggregate / Scan",
                "{`op`: `window`, `partitionBy`: [`city`], `columns`: {`n`: `ROW_NUMBER()`}} | n <"
                        + " 3 AND city = 'x' AND id > 5 | Filter (window22 < 3) AND (id > 5) / Window"
                        + " partition by city / Filter city = 'x' / Scan",
                "{`op`: `window`, `columns`: {`n`: `ROW_NUMBER()`}} | id > 5 | Filter id > 5 /"
                        + " Window / Scan"
            })
    void stepsThatLookAtAllRows(String step, String where, String expected) {
        assertThat(text(Plans.compile("t", step, Plans.filter(where)).plan())).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '§',
            value = {
                "SELECT t.id FROM t LEFT JOIN nested n ON t.id = n.id WHERE t.i > 1 AND n.name IS"
                        + " NULL | Filter name IS NULL / Join left on id = id / Filter i > 1 / Scan /"
                        + " Scan",
                "SELECT t.id FROM t LEFT JOIN nested n ON t.id = n.id AND n.name = 'a' AND t.i > 1"
                        + " | Join left on id = id / Scan / Filter name = 'a' / Scan",
                "SELECT t.id FROM t LEFT JOIN nested n ON t.id = n.id WHERE n.name = 'a' | Join"
                        + " inner on id = id / Scan / Filter name = 'a' / Scan",
                "SELECT n.id FROM t RIGHT JOIN nested n ON t.id = n.id WHERE n.name = 'a' | Join"
                        + " right on id = id / Scan / Filter name = 'a' / Scan",
                "SELECT n.id FROM t FULL JOIN nested n ON t.id = n.id WHERE n.name = 'a' | Join"
                        + " right on id = id / Scan / Filter name = 'a' / Scan",
                "SELECT n.id FROM t FULL JOIN nested n ON t.id = n.id WHERE t.i = 1 | Join left on"
                        + " id = id / Filter i = 1 / Scan / Scan",
                "SELECT n.id FROM t FULL JOIN nested n ON t.id = n.id WHERE t.i = 1 AND n.name ="
                        + " 'a' | Join inner on id = id / Filter i = 1 / Scan / Filter name = 'a' /"
                        + " Scan",
                "SELECT n.id FROM t FULL JOIN nested n ON t.id = n.id WHERE t.i IS NULL | Filter i"
                        + " IS NULL / Join full on id = id / Scan / Scan",
                "SELECT id FROM t WHERE id IN (SELECT id FROM nested WHERE name = 'a') AND i > 1 |"
                        + " Join semi on id = id / Filter i > 1 / Scan / Filter name = 'a' / Scan",
                "SELECT t.id FROM t, nested n WHERE t.id = n.id AND t.id = 5 | Join inner on id ="
                        + " id / Filter id = 5 / Scan / Filter id = 5 / Scan",
                "SELECT t.id FROM t, nested n WHERE t.id = n.id AND (t.i = 1 AND n.name = 'a' OR"
                        + " t.i = 2 AND n.name = 'b') | Join inner on id = id / Filter i IN (1, 2) /"
                        + " Scan / Filter name IN ('a', 'b') / Scan",
                "SELECT t.id FROM t JOIN nested n ON t.id = n.id AND 10 / t.i > 1 WHERE n.name ="
                        + " 'a' | Join inner on id = id / Scan / Filter name = 'a' / Scan"
            })
    void joins(String sql, String expected) {
        assertThat(query(sql).replaceAll("Filter (id|i|name) IS NOT NULL / ", ""))
                .isEqualTo(expected);
    }

    @Test
    void joinsOfStepsKeepTheirOrder() {
        String cross =
                "{`op`: `join`, `type`: `cross`, `with`: {`from`: {`dataset`: `%s`}, `steps`:"
                        + " [{`op`: `select`, `columns`: [`id AS %s`]}]}}";
        String places =
                text(
                        Plans.compile(
                                        "t",
                                        Plans.select("id"),
                                        cross.formatted("nested", "n"),
                                        cross.formatted("shapes", "s"),
                                        Plans.filter("id = s AND n > 3"))
                                .plan());
        assertThat(places)
                .isEqualTo(
                        "Join inner on id = id / Join inner of all pairs / Scan / Filter id > 3 /"
                                + " Scan / Scan");
    }

    @ParameterizedTest
    @CsvSource({"FILTER_BELOW_SORT", "FILTER_BELOW_GROUPS", "FILTER_BELOW_JOIN"})
    void everyRuleCanBeLeftOut(OptimizerRule rule) {
        Set<OptimizerRule> rules = EnumSet.complementOf(EnumSet.of(rule));
        String sql =
                "SELECT * FROM (SELECT t.id, COUNT(*) AS n FROM t LEFT JOIN nested x ON t.id = x.id"
                        + " GROUP BY t.id ORDER BY n) WHERE id = 3";
        assertThat(query(rules, sql)).isNotEqualTo(query(sql));
        assertThat(query(sql))
                .isEqualTo(
                        "Sort n / Aggregate by id / Join left on id = id / Filter id = 3 / Scan /"
                                + " Scan");
    }
}
