package io.spillway.catalog;

import java.util.List;
import java.util.Map;

/**
 * A dataset that the operator has named.
 *
 * @param format name of its scan format
 * @param paths absolute paths, paths relative to the working directory, URIs or globs; in the order
 *     in which they are scanned
 * @param options of the format
 */
public record DatasetDefinition(String format, List<String> paths, Map<String, Object> options) {

    public DatasetDefinition {
        paths = List.copyOf(paths);
        options = Map.copyOf(options);
    }
}
