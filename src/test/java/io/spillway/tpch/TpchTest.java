package io.spillway.tpch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The 22 queries over some 60,000 line items. */
@SuppressWarnings("NullAway.Init") // set before all tests
class TpchTest {

    private static TpchSuite suite;

    @BeforeAll
    static void start() throws IOException, SQLException {
        suite = new TpchSuite(0.01, 256 << 20, 8 << 20);
    }

    @AfterAll
    static void stop() {
        try (TpchSuite done = suite) {
            // All whose joins are of more than two tables, and the one that counts all customers.
            assertThat(done.spilled()).contains(5, 7, 8, 9, 13, 21);
            done.nothingIsLeft();
        }
    }

    static List<TpchQuery> queries() {
        return TpchQuery.all();
    }

    @ParameterizedTest
    @MethodSource("queries")
    void theAnswerIsDuckDbsWhateverTheMemoryAndTheThreads(TpchQuery query) {
        suite.check(query);
    }
}
