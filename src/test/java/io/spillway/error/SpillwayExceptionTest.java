package io.spillway.error;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SpillwayExceptionTest {

    private final SpillwayException failure =
            new SpillwayException(ErrorCode.INVALID_TEXT, "not UTF-8")
                    .with(SpillwayException.COLUMN, "name")
                    .with(SpillwayException.ROW, 3);

    @Test
    void aCopySaysTheSameAndKeepsWhatIsAddedToItself() {
        SpillwayException copy = failure.copy().with(SpillwayException.FILE, "f");
        assertThat(copy).hasMessage("not UTF-8").hasCause(failure);
        assertThat(copy.code()).isEqualTo(ErrorCode.INVALID_TEXT);
        assertThat(copy.context())
                .containsAllEntriesOf(failure.context())
                .containsEntry("file", "f");
        assertThat(failure.context()).doesNotContainKey("file");
    }

    @Test
    void aFailureThatIsMovedHasOnePlaceOnly() {
        SpillwayException moved = failure.movedTo(SpillwayException.ROW, 4_003L);
        assertThat(moved.context()).containsEntry("row", 4_003L).containsEntry("column", "name");
        assertThat(failure.context()).containsEntry("row", 3);
    }
}
