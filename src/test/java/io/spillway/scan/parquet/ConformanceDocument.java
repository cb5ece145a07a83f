package io.spillway.scan.parquet;

import java.util.List;

/** The table of the suite's files as a page of the documentation. */
final class ConformanceDocument {

    private static final String HEAD =
            """
            # Parquet: what is read, and what is refused

            Every file of [apache/parquet-testing](https://github.com/apache/parquet-testing) (Apache-2.0), what
            Spillway answers, where the right answer is known from, and why it is the right one. The rules of
            the format decide; where DuckDB follows them, its values of the same run are compared, all of them.
            Each file is read in batches of 1, 7 and 4,096 rows and from rows in the middle on, with the same
            result. An answer of `file-corrupt` or `file-not-supported` comes as a problem of status 422 that
            names the file, before any row.

            This page is written by `ParquetConformanceTest`, which fails when the two differ; after a change
            of the test's table write it anew:

            ```
            mvn test -Dtest=ParquetConformanceTest -Dconformance.write=true
            ```

            """;

    private ConformanceDocument() {}

    static String render(List<ConformanceCase> cases) {
        StringBuilder page = new StringBuilder(HEAD);
        row(page, "File", "Answer", "Known from", "Why");
        row(page, "---", "---", "---", "---");
        for (ConformanceCase c : cases) {
            Expectation e = c.expectation();
            row(page, "`" + c.file() + "`", e.answer(), e.source(), c.why());
        }
        return page.toString();
    }

    private static void row(StringBuilder page, String... cells) {
        page.append("| ").append(String.join(" | ", cells)).append(" |\n");
    }
}
