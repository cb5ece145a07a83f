package io.spillway.encode;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.TimeZone;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the interface promises of types within types, and of times. */
class TypeRulesTest {

    private static final JsonFormat STRINGS =
            new JsonFormat(JsonFormat.Layout.LINES, false, true, false);

    private final Encoding encoding = new Encoding();

    @AfterEach
    void everythingIsFreed() {
        encoding.close();
    }

    private String value(JsonFormat format, String type, @Nullable Object value) {
        String row = encoding.rows(format, type, value);
        return row.substring("{\"v\":".length(), row.length() - 2);
    }

    @Test
    void numbersAsStringsAreSoInsideOthersToo() {
        long odd = 9007199254740993L;
        List<@Nullable Object> list = Arrays.asList(odd, null, Long.MIN_VALUE);
        assertThat(value(Encoding.LINES, "list<int64>", list))
                .isEqualTo("[9007199254740993,null,-9223372036854775808]");
        assertThat(value(STRINGS, "list<int64>", list))
                .isEqualTo("[\"9007199254740993\",null,\"-9223372036854775808\"]");
        assertThat(
                        value(
                                STRINGS,
                                "struct<u uint64,d decimal(10,2),i int32,f float64>",
                                List.of(-1L, new BigDecimal("2500.00"), 7L, 0.5)))
                .isEqualTo("{\"u\":\"18446744073709551615\",\"d\":\"2500.00\",\"i\":7,\"f\":0.5}");
        assertThat(value(STRINGS, "map<utf8,int64>", List.of(List.of(Encoding.utf8("k"), odd))))
                .isEqualTo("{\"k\":\"9007199254740993\"}");
        assertThat(value(STRINGS, "map<int64,list<int64>>", List.of(List.of(odd, List.of(odd)))))
                .isEqualTo("[{\"key\":\"9007199254740993\",\"value\":[\"9007199254740993\"]}]");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void numbersThatAreNoneStayApartInsideOthers(boolean strings) {
        JsonFormat format = strings ? STRINGS : Encoding.LINES;
        assertThat(
                        value(
                                format,
                                "list<float64>",
                                Arrays.asList(
                                        1.5,
                                        Double.NaN,
                                        Double.POSITIVE_INFINITY,
                                        Double.NEGATIVE_INFINITY,
                                        -0.0,
                                        null)))
                .isEqualTo("[1.5,\"NaN\",\"Infinity\",\"-Infinity\",-0.0,null]");
        assertThat(
                        value(
                                format,
                                "list<float16>",
                                Arrays.asList(
                                        (short) 0x3e00,
                                        (short) 0x7e01,
                                        (short) 0x7c00,
                                        (short) 0xfc00,
                                        (short) 0x8000,
                                        null)))
                .isEqualTo("[1.5,\"NaN\",\"Infinity\",\"-Infinity\",-0.0,null]");
    }

    @Test
    void nullEmptyAndAbsentStayApart() {
        String type = "list<struct<y int32>>";
        List<@Nullable Object> five = List.of(5L);
        List<@Nullable Object> none = Collections.singletonList(null);
        assertThat(value(Encoding.LINES, type, List.of(five))).isEqualTo("[{\"y\":5}]");
        assertThat(value(Encoding.LINES, type, List.of())).isEqualTo("[]");
        assertThat(value(Encoding.LINES, type, null)).isEqualTo("null");
        assertThat(value(Encoding.LINES, type, none)).isEqualTo("[null]");
        assertThat(value(Encoding.LINES, type, List.of(none))).isEqualTo("[{\"y\":null}]");
        assertThat(value(Encoding.LINES, type, Arrays.asList(null, List.of(6L))))
                .isEqualTo("[null,{\"y\":6}]");
        byte[] key = Encoding.utf8("k");
        assertThat(value(Encoding.LINES, "map<utf8,int32>", List.of())).isEqualTo("{}");
        assertThat(value(Encoding.LINES, "map<utf8,int32>", null)).isEqualTo("null");
        assertThat(value(Encoding.LINES, "map<utf8,int32>", List.of(Arrays.asList(key, null))))
                .isEqualTo("{\"k\":null}");
        assertThat(value(Encoding.LINES, "map<utf8,int32>", List.of(List.of(key, 1L))))
                .isEqualTo("{\"k\":1}");
    }

    /** 02:30 on that day is not in New York's clocks. */
    @ParameterizedTest
    @ValueSource(strings = {"Asia/Seoul", "America/New_York", "UTC"})
    void theServersZoneNeverShows(String zone) {
        TimeZone before = TimeZone.getDefault();
        TimeZone.setDefault(TimeZone.getTimeZone(zone));
        try {
            long gap = 1_772_937_000_000_000L;
            assertThat(value(Encoding.LINES, "timestamp(us)", gap))
                    .isEqualTo("\"2026-03-08T02:30:00.000000\"");
            assertThat(value(Encoding.LINES, "timestamp(us,UTC)", gap))
                    .isEqualTo("\"2026-03-08T02:30:00.000000Z\"");
            assertThat(value(Encoding.LINES, "list<timestamp(s,UTC)>", List.of(gap / 1_000_000)))
                    .isEqualTo("[\"2026-03-08T02:30:00Z\"]");
        } finally {
            TimeZone.setDefault(before);
        }
    }
}
