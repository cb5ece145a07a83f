package io.spillway.catalog;

import java.util.List;
import java.util.Optional;

/**
 * Datasets that belong to callers, beside those of the configuration. Thread-safe. Methods wait for
 * the database, and fail with {@code STORE_FAILED}.
 */
public interface OwnedDatasets {

    /** Names of the datasets that an owner has, sorted. */
    List<String> names(String owner);

    /** What an owner has under a name. */
    Optional<DatasetDefinition> find(String owner, String name);

    /** None at all. */
    static OwnedDatasets none() {
        return new OwnedDatasets() {
            @Override
            public List<String> names(String owner) {
                return List.of();
            }

            @Override
            public Optional<DatasetDefinition> find(String owner, String name) {
                return Optional.empty();
            }
        };
    }
}
