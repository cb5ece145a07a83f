package io.spillway.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.testing.RowsClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The row number is the only coordinate: for every job and every offset, {@code rows(offset, n)} is
 * the n rows that a full stream has there, byte for byte, whoever asks, however often.
 */
class RowNumberLawTest {

    private static final JsonMapper MAPPER = new JsonMapper();

    private static @Nullable Workbench workbench;

    @BeforeContainer
    static void start() {
        workbench = new Workbench();
    }

    @AfterContainer
    static void stop() {
        if (workbench != null) {
            workbench.close();
        }
    }

    @Provide
    Arbitrary<Scenario> scenarios() {
        return Scenario.scenarios();
    }

    @Property(tries = 25)
    void everyPageIsTheSliceOfTheStream(@ForAll("scenarios") Scenario scenario) {
        bench().with(
                        scenario,
                        (client, duckdb, query) -> {
                            String job = client.submit(query.plan());
                            // Before the full stream has told how many rows there are, and after.
                            String early = rows(client.page(job, "offset=3&limit=5"));
                            List<String> all = client.lines(job, "");
                            assertThat(early).isEqualTo(joined(slice(all, 3, 5)));
                            for (long offset : offsets(all.size())) {
                                for (long limit : List.of(0L, 1L, 100L, 10_000L)) {
                                    checkPage(client, job, all, offset, limit);
                                }
                                assertThat(client.lines(job, "offset=" + offset))
                                        .isEqualTo(slice(all, offset, Long.MAX_VALUE));
                            }
                            assertThat(client.lines(job, "offset=2&limit=9223372036854775807"))
                                    .isEqualTo(slice(all, 2, Long.MAX_VALUE));
                        });
    }

    @Property(tries = 15)
    void followingNextGivesTheStreamOnce(@ForAll("scenarios") Scenario scenario) {
        bench().with(
                        scenario,
                        (client, duckdb, query) -> {
                            String job = client.submit(query.plan());
                            StringBuilder walked = new StringBuilder();
                            String at = "limit=997";
                            while (!at.isEmpty()) {
                                String page = client.page(job, at);
                                assertThat(rows(client.page(job, at))).isEqualTo(rows(page));
                                if (!rows(page).isEmpty()) {
                                    walked.append(walked.isEmpty() ? "" : ",").append(rows(page));
                                }
                                JsonNode next = MAPPER.readTree(page).required("next");
                                at =
                                        next.isNull()
                                                ? ""
                                                : "limit=997&cursor="
                                                        + next.required("cursor").stringValue();
                            }
                            assertThat(walked.toString()).isEqualTo(joined(client.lines(job, "")));
                        });
    }

    private static void checkPage(
            RowsClient client, String job, List<String> all, long offset, long limit) {
        String page = client.page(job, "offset=" + offset + "&limit=" + limit);
        List<String> expected = slice(all, offset, limit);
        String place = "offset %d, limit %d of %d".formatted(offset, limit, all.size());
        assertThat(rows(page)).as(place).isEqualTo(joined(expected));
        JsonNode document = MAPPER.readTree(page);
        assertThat(document.required("offset").longValue()).as(place).isEqualTo(offset);
        assertThat(document.required("rowCount").longValue()).as(place).isEqualTo(all.size());
        JsonNode next = document.required("next");
        if (offset >= all.size() || offset + expected.size() == all.size()) {
            assertThat(next.isNull()).as(place).isTrue();
        } else {
            assertThat(next.required("offset").longValue())
                    .as(place)
                    .isEqualTo(offset + expected.size());
        }
    }

    /** Borders of batches, row groups, files and the job; far beyond them. */
    private static Set<Long> offsets(int total) {
        Set<Long> offsets = new TreeSet<>(List.of(0L, 1L, 2047L, 2048L, 2049L));
        offsets.add(total / 2L);
        offsets.add(Math.max(0, total - 1L));
        offsets.add((long) total);
        offsets.add(total + 1L);
        offsets.add(4_294_967_298L);
        offsets.add(Long.MAX_VALUE);
        return offsets;
    }

    private static List<String> slice(List<String> all, long offset, long limit) {
        int from = (int) Math.min(offset, all.size());
        int to = (int) (from + Math.min(limit, all.size() - from));
        return new ArrayList<>(all.subList(from, to));
    }

    private static String joined(List<String> lines) {
        return String.join(",", lines);
    }

    /** The text between the brackets of {@code rows}, as it came. */
    private static String rows(String page) {
        int from = page.indexOf("\"rows\":[");
        int to = page.lastIndexOf("],\"next\":");
        assertThat(from).as(page).isGreaterThan(0);
        assertThat(to).as(page).isGreaterThan(from);
        return page.substring(from + "\"rows\":[".length(), to);
    }

    private static Workbench bench() {
        if (workbench == null) {
            throw new AssertionError("the service did not start");
        }
        return workbench;
    }
}
