package io.spillway.error;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class NearestNameTest {

    private static final List<String> NAMES = List.of("passenger_count", "fare_amount", "id");

    @Test
    void findsWhatWasMeant() {
        assertThat(NearestName.of("pasenger_count", NAMES)).isEqualTo("passenger_count");
        assertThat(NearestName.of("FARE_AMOUNT", NAMES)).isEqualTo("fare_amount");
        assertThat(NearestName.of("fare_amuont", NAMES)).isEqualTo("fare_amount");
        assertThat(NearestName.of("ids", NAMES)).isEqualTo("id");
    }

    @Test
    void suggestsNothingThatIsFarOff() {
        assertThat(NearestName.of("tip", NAMES)).isNull();
        assertThat(NearestName.of("x".repeat(100_000), NAMES)).isNull();
        assertThat(NearestName.of("", List.of())).isNull();
    }
}
