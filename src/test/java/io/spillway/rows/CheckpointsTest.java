package io.spillway.rows;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CheckpointsTest {

    @Test
    void aRowIsFoundFromTheLastPlaceThatIsNotBehindIt() {
        Checkpoints places = new Checkpoints(10, 100);
        places.reached(10, 0);
        places.reached(20, 0);
        places.reached(30, 4);
        places.reached(35, 6);

        assertThat(places.before(0)).isEqualTo(new Place(20, 0));
        assertThat(places.before(3)).isEqualTo(new Place(20, 0));
        assertThat(places.before(5)).isEqualTo(new Place(30, 4));
        assertThat(places.before(1_000)).isEqualTo(new Place(35, 6));
        assertThat(places.after(0)).isZero();
        assertThat(places.after(1)).isEqualTo(30);
        assertThat(places.after(5)).isEqualTo(35);
        assertThat(places.after(7)).isEqualTo(-1);
        assertThat(places.rows()).isEqualTo(-1);
    }

    @Test
    void whatIsKnownAlreadyChangesNothing() {
        Checkpoints places = new Checkpoints(10, Long.MAX_VALUE);
        places.reached(40, 9);
        places.reached(20, 5);
        assertThat(places.placed()).isEqualTo(9);
        places.finished(40, 9);
        places.reached(50, 12);
        assertThat(places.rows()).isEqualTo(9);
    }

    @Test
    void theLastInputRowIsTheEnd() {
        Checkpoints places = new Checkpoints(10, 40);
        places.reached(40, 9);
        assertThat(places.rows()).isEqualTo(9);
    }

    @Test
    void placesGetCoarserRatherThanTooMany() {
        Checkpoints places = new Checkpoints(1, Long.MAX_VALUE);
        long rows = 5L * Checkpoints.MAX;
        for (long i = 1; i <= rows; i++) {
            places.reached(i, i / 2);
        }
        assertThat(places.places().length).isBetween(Checkpoints.MAX / 4, Checkpoints.MAX);
        for (long row = 0; row < rows / 2; row += 997) {
            Place place = places.before(row);
            assertThat(place.out()).isLessThanOrEqualTo(row).isGreaterThan(row - 16);
            assertThat(place.in() / 2).isEqualTo(place.out());
            assertThat(places.after(row)).isBetween(2 * row, 2 * row + 16);
        }
    }
}
