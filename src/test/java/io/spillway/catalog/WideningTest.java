package io.spillway.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.batch.ColumnType;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which type holds the values of several. */
class WideningTest {

    private static final List<String> FLAT =
            List.of(
                    "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32"
                            + " float64",
                    "decimal(5,2) decimal(38,0) decimal(20,10) utf8 binary binary(4) binary(16)"
                            + " date",
                    "time(ms) time(us) time(ns) timestamp(ms) timestamp(us) timestamp(ns,UTC)",
                    "timestamp(us,UTC)");

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    int8 int64                        | int64
                    int32 uint32                      | int64
                    uint8 uint16                      | uint16
                    uint8 int8                        | int16
                    uint8 int32                       | int32
                    uint64 uint8                      | uint64
                    uint64 int8                       | decimal(20,0)
                    int64 uint64 decimal(5,2)         | decimal(22,2)
                    float16 float32                   | float32
                    float32 float64                   | float64
                    int8 uint8 float16                | float16
                    int16 float16                     | float32
                    uint16 float32                    | float32
                    int32 float32                     | float64
                    uint32 float64                    | float64
                    int32 uint32 float64              | float64
                    int64 float64                     | none
                    uint64 float64                    | none
                    decimal(5,2) float64              | none
                    decimal(5,2) decimal(9,1)         | decimal(10,2)
                    decimal(38,0) decimal(5,2)        | none
                    decimal(36,2) int64               | decimal(36,2)
                    decimal(38,30) int32              | none
                    decimal(5,2) int32                | decimal(12,2)
                    decimal(5,2) uint8                | decimal(5,2)
                    date timestamp(ms)                | timestamp(ms)
                    date timestamp(us) timestamp(ns)  | timestamp(ns)
                    date timestamp(us,UTC)            | none
                    timestamp(us) timestamp(us,UTC)   | none
                    timestamp(ms,UTC) timestamp(us,UTC) | timestamp(us,UTC)
                    time(ms) time(ns)                 | time(ns)
                    time(ms) date                     | none
                    binary(3) binary(4)               | binary
                    binary(3) binary                  | binary
                    binary utf8                       | none
                    bool int8                         | none
                    bool utf8                         | none
                    utf8 int32                        | none
                    utf8 date                         | none
                    """)
    void flatTypes(String types, String expected) {
        for (String order : List.of(types, reversed(types))) {
            assertThat(common(order.split(" ", -1))).as(order).isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    list<int32> ; list<int64 not null>        | list<int64>
                    list<int32 not null> ; list<int32>        | list<int32>
                    list<utf8> ; list<int32>                  | none
                    list<int32> ; int32                       | none
                    map<utf8,int32 not null> ; map<utf8,int8> | map<utf8,int32>
                    map<int8,bool> ; map<uint8,bool>          | map<int16,bool>
                    map<utf8,int8> ; map<int8,int8>           | none
                    struct<a int8 not null> ; struct<a int32 not null>       | struct<a int32 not null>
                    struct<a int8 not null> ; struct<b bool not null,a int8> | struct<a int8,b bool>
                    struct<a utf8> ; struct<a bool>           | none
                    struct<a bool> ; struct<A bool>           | struct<a bool,A bool>
                    struct<> ; struct<a date not null>        | struct<a date>
                    list<struct<a list<int8>>> ; list<struct<b date,a list<uint8>>> | list<struct<a list<int16>,b date>>
                    """)
    void nestedTypes(String types, String expected) {
        assertThat(common(types.split(" ; ", -1))).isEqualTo(expected);
    }

    @Provide
    Arbitrary<Set<ColumnType>> types() {
        return Arbitraries.of(String.join(" ", FLAT).split(" ", -1))
                .map(ColumnType::parse)
                .set()
                .ofMinSize(1)
                .ofMaxSize(5);
    }

    @Property
    void theOrderMakesNoDifferenceAndNothingNarrowsIt(@ForAll("types") Set<ColumnType> types) {
        ColumnType common = Widening.common(types);
        List<ColumnType> shuffled = new java.util.ArrayList<>(types);
        Collections.shuffle(shuffled, new java.util.Random(types.hashCode()));
        assertThat(Widening.common(shuffled)).isEqualTo(common);
        if (common != null) {
            shuffled.add(common);
            assertThat(Widening.common(shuffled)).isEqualTo(common);
            for (ColumnType each : types) {
                assertThat(Widening.common(List.of(each, common))).isEqualTo(common);
            }
        }
    }

    private static String common(String... types) {
        ColumnType common = Widening.common(Arrays.stream(types).map(ColumnType::parse).toList());
        return common == null ? "none" : common.toString();
    }

    private static String reversed(String types) {
        List<String> words = Arrays.asList(types.split(" ", -1));
        Collections.reverse(words);
        return String.join(" ", words);
    }
}
