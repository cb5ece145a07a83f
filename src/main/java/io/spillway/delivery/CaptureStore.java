package io.spillway.delivery;

import static io.spillway.job.StoreFailures.run;

import io.spillway.catalog.DatasetDefinition;
import io.spillway.catalog.OwnedDatasets;
import io.spillway.delivery.capture.CapturePlace;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.job.StorableText;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Queue;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * What deliveries have captured, in the database of their store: where the values of batches are,
 * and the datasets that came of them. Thread-safe.
 */
public final class CaptureStore implements OwnedDatasets {

    private static final int PAGE = 1_000;
    private static final String FORMAT = "parquet";

    private final JdbcClient jdbc;

    public CaptureStore(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    @Override
    public List<String> names(String owner) {
        return run(
                () ->
                        jdbc
                                .sql(
                                        """
                                        SELECT name FROM captured_dataset
                                        WHERE owner = :owner AND uri IS NOT NULL
                                        """)
                                .param("owner", owner)
                                .query(String.class)
                                .list()
                                .stream()
                                .sorted()
                                .toList());
    }

    @Override
    public Optional<DatasetDefinition> find(String owner, String name) {
        return dataset(owner, name)
                .map(CapturedDataset::file)
                .map(file -> new DatasetDefinition(FORMAT, List.of(file.uri()), Map.of()));
    }

    /** What an owner has under a name, or will have. */
    Optional<CapturedDataset> dataset(String owner, String name) {
        if (!StorableText.isStorable(name)) {
            return Optional.empty();
        }
        return run(
                () ->
                        jdbc.sql(
                                        """
                                        SELECT * FROM captured_dataset
                                        WHERE owner = :owner AND name = :name
                                        """)
                                .param("owner", owner)
                                .param("name", name)
                                .query(CaptureStore::dataset)
                                .optional());
    }

    /** What a delivery makes, or has made. */
    Optional<CapturedDataset> dataset(String delivery) {
        return run(
                () ->
                        jdbc.sql("SELECT * FROM captured_dataset WHERE delivery_id = :delivery")
                                .param("delivery", delivery)
                                .query(CaptureStore::dataset)
                                .optional());
    }

    private static CapturedDataset dataset(ResultSet row, int number) throws SQLException {
        String uri = row.getString("uri");
        return new CapturedDataset(
                row.getString("delivery_id"),
                row.getString("name"),
                uri == null
                        ? null
                        : new CapturedFile(uri, row.getLong("row_count"), row.getLong("bytes")));
    }

    /**
     * Takes a name for what a delivery will make. Part of the caller's transaction.
     *
     * @throws SpillwayException {@code DATASET_EXISTS} if the owner has that name
     */
    void reserve(Delivery delivery, String name) {
        // A delivery may have gone with its job before it came to an end.
        jdbc.sql(
                        """
                        DELETE FROM captured_dataset
                        WHERE owner = :owner AND name = :name AND uri IS NULL AND NOT EXISTS
                          (SELECT 1 FROM delivery d WHERE d.id = captured_dataset.delivery_id)
                        """)
                .param("owner", delivery.owner())
                .param("name", name)
                .update();
        try {
            insert(delivery.owner(), name, delivery.id());
        } catch (DuplicateKeyException e) {
            throw exists(name, e);
        }
    }

    /** A name that is taken, whoever sees that first. */
    static SpillwayException exists(String name, @Nullable Throwable cause) {
        return new SpillwayException(
                        ErrorCode.DATASET_EXISTS,
                        "There is a dataset '" + name + "' already",
                        cause)
                .with(SpillwayException.POINTER, "/capture/dataset")
                .with(SpillwayException.FOUND, name);
    }

    private void insert(String owner, String name, String delivery) {
        jdbc.sql(
                        """
                        INSERT INTO captured_dataset (owner, name, delivery_id, created_at)
                        VALUES (:owner, :name, :delivery, CURRENT_TIMESTAMP)
                        """)
                .param("owner", owner)
                .param("name", name)
                .param("delivery", delivery)
                .update();
    }

    /**
     * Lets the owner find a file under the name that the delivery has taken, in place of one that
     * it found before. Part of the caller's transaction.
     *
     * @throws SpillwayException {@code DATASET_EXISTS} if the name was given up, and taken since
     */
    void publish(Delivery delivery, String name, CapturedFile file) {
        if (published(delivery, file) == 0) {
            reserve(delivery, name);
            published(delivery, file);
        }
    }

    private int published(Delivery delivery, CapturedFile file) {
        return jdbc.sql(
                        """
                        UPDATE captured_dataset
                        SET uri = :uri, row_count = :rows, bytes = :bytes,
                          created_at = CURRENT_TIMESTAMP
                        WHERE delivery_id = :delivery
                        """)
                .param("uri", file.uri())
                .param("rows", file.rows())
                .param("bytes", file.bytes())
                .param("delivery", delivery.id())
                .update();
    }

    /** Gives up the name of a delivery that has made nothing. */
    void withdraw(String delivery) {
        run(
                () ->
                        jdbc.sql(
                                        """
                                        DELETE FROM captured_dataset
                                        WHERE delivery_id = :delivery AND uri IS NULL
                                        """)
                                .param("delivery", delivery)
                                .update());
    }

    /** Removes a dataset; whether it was there. */
    boolean remove(CapturedDataset dataset) {
        return run(
                        () ->
                                jdbc.sql(
                                                """
                                                DELETE FROM captured_dataset
                                                WHERE delivery_id = :delivery AND uri IS NOT NULL
                                                """)
                                        .param("delivery", dataset.delivery())
                                        .update())
                == 1;
    }

    /** Forgets where captured values are. */
    void forget(String delivery) {
        run(
                () ->
                        jdbc.sql("DELETE FROM delivery_capture WHERE delivery_id = :delivery")
                                .param("delivery", delivery)
                                .update());
    }

    /** Where captured values are, by ascending rows; read as it is gone through. */
    Iterable<CapturePlace> places(String delivery) {
        return () -> new Places(delivery);
    }

    private List<CapturePlace> places(String delivery, long afterRow) {
        return run(
                () ->
                        jdbc.sql(
                                        """
                                        SELECT place FROM delivery_capture
                                        WHERE delivery_id = :delivery AND first_row > :after
                                        ORDER BY first_row LIMIT :limit
                                        """)
                                .param("delivery", delivery)
                                .param("after", afterRow)
                                .param("limit", PAGE)
                                .query((row, number) -> CapturePlace.parse(row.getString("place")))
                                .list());
    }

    private final class Places implements Iterator<CapturePlace> {

        private final String delivery;
        private final Queue<CapturePlace> page = new ArrayDeque<>();
        private long last = -1;
        private boolean ended;

        Places(String delivery) {
            this.delivery = delivery;
        }

        @Override
        public boolean hasNext() {
            if (page.isEmpty() && !ended) {
                page.addAll(places(delivery, last));
                ended = page.size() < PAGE;
            }
            return !page.isEmpty();
        }

        @Override
        public CapturePlace next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            CapturePlace place = page.remove();
            last = place.firstRow();
            return place;
        }
    }
}
