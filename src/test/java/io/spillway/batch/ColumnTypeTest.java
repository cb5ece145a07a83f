package io.spillway.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spillway.error.SpillwayException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ColumnTypeTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "bool",
                "int8",
                "int16",
                "int32",
                "int64",
                "uint8",
                "uint16",
                "uint32",
                "uint64",
                "float16",
                "float32",
                "float64",
                "decimal(38,18)",
                "decimal(5,0)",
                "utf8",
                "binary",
                "binary(16)",
                "date",
                "time(ms)",
                "time(us)",
                "time(ns)",
                "timestamp(s)",
                "timestamp(ms)",
                "timestamp(us)",
                "timestamp(ns)",
                "timestamp(us,UTC)"
            })
    void theTextFormReadsBack(String text) {
        ColumnType type = ColumnType.parse(text);
        assertThat(type).hasToString(text);
        assertThat(new ColumnSchema("x", type, true).toArrow().getType()).isEqualTo(type.toArrow());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "int",
                "int128",
                "decimal",
                "decimal(1)",
                "time",
                "time(h)",
                "timestamp()",
                "utf8 ",
                "list"
            })
    void otherTextsAreRefused(String text) {
        assertThatThrownBy(() -> ColumnType.parse(text)).isInstanceOf(SpillwayException.class);
    }
}
