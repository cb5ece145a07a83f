package io.spillway.storage;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * How Hadoop's file systems are reached.
 *
 * @param properties Hadoop's own, by name, such as {@code fs.s3a.endpoint}; they win over the files
 *     and over what Spillway sets
 * @param resources Hadoop configuration files, such as {@code core-site.xml}; later ones win
 * @param parallelism requests that may be under way at once, over all file systems
 */
public record HadoopSettings(
        Map<String, String> properties, List<Path> resources, int parallelism) {

    public HadoopSettings {
        if (parallelism < 1) {
            throw new IllegalArgumentException("parallelism " + parallelism);
        }
        properties = Map.copyOf(properties);
        resources = List.copyOf(resources);
    }

    /** Leaves out the values, which may hold secrets. */
    @Override
    public String toString() {
        return "HadoopSettings[properties="
                + properties.keySet()
                + ", resources="
                + resources
                + ", parallelism="
                + parallelism
                + "]";
    }
}
