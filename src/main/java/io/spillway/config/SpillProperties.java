package io.spillway.config;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Where this process writes what does not fit in memory while it works.
 *
 * @param dir a folder on a fast disk, which must be there; by default one in the home, which is
 *     made. Processes may share it
 * @param quota what all such files of this process may take together
 */
public record SpillProperties(@Nullable Path dir, @DefaultValue("64GB") DataSize quota) {

    public SpillProperties {
        Require.positive("spillway.spill.quota", quota);
    }
}
