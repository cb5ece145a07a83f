package io.spillway.rows;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import io.spillway.batch.RowSchema;
import java.util.List;
import org.junit.jupiter.api.Test;

class BatchSizeTest {

    private static long bytes(String type) {
        return BatchSize.estimate(
                new RowSchema(List.of(new ColumnSchema("c", ColumnType.parse(type), true))), 4096);
    }

    @Test
    void nestedColumnsTakeWhatTheirChildrenTake() {
        assertThat(bytes("int64")).isEqualTo(8 * 4096 + 1024);
        assertThat(bytes("struct<a int64,b int64>"))
                .isGreaterThanOrEqualTo(2 * bytes("int64"))
                .isLessThan(3 * bytes("int64"));
        assertThat(bytes("list<int64>")).isGreaterThan(4 * bytes("int64"));
        assertThat(bytes("map<utf8,int64>")).isGreaterThan(bytes("list<int64>") + bytes("utf8"));
    }

    @Test
    void depthAloneTakesLittle() {
        assertThat(bytes("list<".repeat(64) + "int8" + ">".repeat(64)))
                .isLessThan(64 * bytes("list<int32>"));
    }
}
