package io.spillway.config;

import java.time.Duration;
import java.util.List;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Where requests may have rows of jobs written, and how many at once.
 *
 * @param roots absolute paths, paths relative to the working directory, or URIs; requests may name
 *     places below them only. Empty: nothing is exported
 * @param running exports that this process writes at once; others wait
 * @param maxOpen exports that may wait or be written at once, over all callers
 * @param rowGroup memory that a row group of a file may take
 * @param lease how long a process that has died holds up an export that it wrote
 */
public record ExportProperties(
        @DefaultValue List<String> roots,
        @DefaultValue("2") int running,
        @DefaultValue("1000") int maxOpen,
        @DefaultValue("64MB") DataSize rowGroup,
        @DefaultValue("20s") Duration lease) {

    public ExportProperties {
        roots = List.copyOf(roots);
        roots.forEach(root -> Require.notBlank("spillway.exports.roots", root));
        Require.positive("spillway.exports.running", running);
        Require.that(maxOpen >= 0, "spillway.exports.max-open must not be negative");
        Require.positiveInt("spillway.exports.row-group", rowGroup);
        Require.that(
                lease.compareTo(Duration.ofSeconds(1)) >= 0,
                "spillway.exports.lease must not be under 1s");
    }
}
