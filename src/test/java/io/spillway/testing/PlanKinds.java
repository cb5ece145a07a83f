package io.spillway.testing;

import java.nio.file.Path;
import java.util.List;

/** One plan of each kind, and the data for them: what holds for every job is tried with these. */
public final class PlanKinds {

    private static final String FILTER =
            "{`op`: `filter`, `where`: `id % 3 <> 1 AND k IS NOT NULL`}";

    private static final List<String> KINDS =
            List.of(
                    "",
                    FILTER,
                    "{`op`: `filter`, `where`: `id = 7777`}",
                    "{`op`: `filter`, `where`: `id < 0`}",
                    "{`op`: `select`, `columns`: [`id`, `k * 2 AS k2`, `name`]}",
                    "{`op`: `withColumns`, `columns`: {`y`: `x + 1`}}, {`op`: `rename`, `columns`:"
                            + " {`k`: `n`}}, {`op`: `drop`, `columns`: [`tags`]}",
                    "{`op`: `limit`, `rows`: 5001}",
                    "{`op`: `offset`, `rows`: 4999}, {`op`: `limit`, `rows`: 2050}",
                    FILTER + ", {`op`: `offset`, `rows`: 100}, {`op`: `limit`, `rows`: 3000}",
                    FILTER
                            + ", {`op`: `limit`, `rows`: 3000}, {`op`: `filter`, `where`: `k <"
                            + " 500`}",
                    "{`op`: `union`, `with`: [{`from`: {`dataset`: `b`}}]}",
                    FILTER
                            + ", {`op`: `union`, `with`: [{`from`: {`dataset`: `b`}, `steps`: ["
                            + FILTER
                            + "]}, {`from`: {`dataset`: `a`}}]}, {`op`: `filter`, `where`: `x <"
                            + " 2700`}",
                    "{`op`: `explode`, `column`: `tags`}",
                    "{`op`: `explode`, `column`: `tags`, `outer`: true}, " + FILTER,
                    "{`op`: `sample`, `fraction`: 0.3, `seed`: 7}",
                    FILTER + ", {`op`: `sample`, `rows`: 2500, `seed`: 7}",
                    "{`op`: `rowIndex`, `name`: `i`, `start`: 10}",
                    FILTER
                            + ", {`op`: `rowIndex`, `name`: `i`}, {`op`: `filter`, `where`: `i % 5"
                            + " = 2 OR i > 4000`}",
                    "{`op`: `sort`, `by`: [`k DESC NULLS LAST`, `x`]}",
                    FILTER
                            + ", {`op`: `sort`, `by`: [`name`, `id DESC`]}, {`op`: `filter`,"
                            + " `where`: `id % 2 = 0`}, {`op`: `rowIndex`, `name`: `i`}",
                    "{`op`: `sort`, `by`: [`k`]}, {`op`: `limit`, `rows`: 4000}, {`op`: `sort`,"
                            + " `by`: [`id`]}, {`op`: `explode`, `column`: `tags`}, {`op`: `limit`,"
                            + " `rows`: 3000}",
                    "{`op`: `sort`, `by`: [`k`]}, {`op`: `union`, `with`: [{`from`: {`dataset`:"
                            + " `b`}, `steps`: ["
                            + FILTER
                            + ", {`op`: `sort`, `by`: [`x DESC`]}]}, {`from`: {`dataset`: `a`}}]}",
                    "{`op`: `sort`, `by`: [`name`]}, {`op`: `sample`, `rows`: 3000, `seed`: 3},"
                            + " {`op`: `rowIndex`, `name`: `i`}, {`op`: `sort`, `by`: [`x`]}",
                    "sql: SELECT id, x, name FROM a WHERE k > 100 ORDER BY name DESC, id",
                    "{`op`: `repartition`, `partitions`: 7}",
                    FILTER + ", {`op`: `repartition`, `rowsPerPartition`: 1000}",
                    "sql: SELECT id, x, name FROM a WHERE k > 100",
                    "sql: SELECT id, name FROM a WHERE k > 900 UNION ALL SELECT id + 1, name FROM"
                            + " b");

    private PlanKinds() {}

    /** The plans, as JSON, over the datasets of {@link #serve}. */
    public static List<String> all() {
        return KINDS.stream().map(PlanKinds::plan).toList();
    }

    private static String plan(String kind) {
        return kind.startsWith("sql: ")
                ? "{\"from\": {\"sql\": \"" + kind.substring("sql: ".length()) + "\"}}"
                : ("{`from`: {`dataset`: `a`}, `steps`: [" + kind + "]}").replace('`', '"');
    }

    /** Makes the data in a folder, and tells a server of it. */
    public static SpillwayServer.Builder serve(Path folder) {
        String columns =
                """
                i AS id, CASE WHEN i %% 11 = 0 THEN NULL ELSE i %% 1000 END::INTEGER AS k,
                CASE i %% 4 WHEN 0 THEN NULL WHEN 1 THEN '' ELSE 'say "' || i || '", ' END AS name,
                i / 8.0 AS x,
                CASE i %% 5 WHEN 0 THEN NULL WHEN 1 THEN [] ELSE [i, NULL, i %% 7] END AS tags
                """;
        String select = "SELECT " + columns + " FROM range(%d, %d) AS t(i)";
        Path first = write(folder, "a-1", select.formatted(0, 5000));
        Path empty = write(folder, "a-2", select.formatted(0, 0));
        Path last = write(folder, "a-3", select.formatted(5000, 8001));
        Path other = write(folder, "b", select.formatted(20_000, 22_500));
        return SpillwayServer.builder().dataset("a", first, empty, last).dataset("b", other);
    }

    private static Path write(Path folder, String name, String query) {
        return ParquetFiles.write(folder.resolve(name + ".parquet"), query, "ROW_GROUP_SIZE 2048");
    }
}
