package io.spillway.cursor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ids of events come back as the rows they were made of, and nothing else comes back. */
class EventIdsTest {

    private static final String DIGEST = "0123456789abcdef".repeat(4);
    private static final EventIds IDS = new EventIds("job-1", DIGEST);

    @Property
    void anIdTellsItsRow(@ForAll @LongRange(min = 0) long row) {
        assertThat(IDS.next(row)).startsWith("job-1." + row + ".");
        assertThat(IDS.parse(IDS.next(row), "Last-Event-ID")).isEqualTo(new EventId.Next(row));
    }

    @Test
    void theEndHasAnIdOfItsOwn() {
        assertThat(IDS.end()).isEqualTo("job-1.end");
        assertThat(IDS.parse("job-1.end", "Last-Event-ID")).isEqualTo(new EventId.End());
    }

    @Property
    void oneCharacterThatIsAnotherMakesItNoId(
            @ForAll @LongRange(min = 0) long row,
            @ForAll @IntRange(min = 0, max = 40) int at,
            @ForAll char other) {
        String id = IDS.next(row);
        int place = at % id.length();
        if (id.charAt(place) != other) {
            refused(id.substring(0, place) + other + id.substring(place + 1));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "5",
                "job-1",
                "job-1.",
                "job-1.5",
                "job-1.5.",
                "job-1.end.",
                "job-1.END",
                "job-1.05.00000000",
                "job-1.-5.00000000",
                "job-1.9223372036854775808.00000000",
                "job-1.99999999999999999999.00000000",
                "job-2.end",
                " job-1.end",
                "job-1.5.0000000g"
            })
    void whatWasNeverGivenOutIsRefused(String id) {
        refused(id);
    }

    @Test
    void idsOfAnotherJobOrSnapshotAreRefused() {
        refused(new EventIds("job-2", DIGEST).next(5));
        refused(new EventIds("job-1", "1" + DIGEST.substring(1)).next(5));
        String other = new EventIds("job-2", DIGEST).next(5);
        refused("job-1" + other.substring("job-2".length()));
    }

    private static void refused(String id) {
        assertThatThrownBy(() -> IDS.parse(id, "Last-Event-ID"))
                .isInstanceOfSatisfying(
                        SpillwayException.class,
                        e -> {
                            assertThat(e.code()).isEqualTo(ErrorCode.INVALID_EVENT_ID);
                            assertThat(e.context())
                                    .containsEntry(SpillwayException.PARAMETER, "Last-Event-ID");
                        });
    }
}
