package io.spillway.config;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Where results are written that are computed once and read by row number from then on.
 *
 * @param uri a folder, as a path or a URI of any file system; by default one in the home. Replicas
 *     that share jobs share it
 * @param quota what all jobs' results may take together
 */
public record SpoolProperties(@Nullable String uri, @DefaultValue("256GB") DataSize quota) {

    public SpoolProperties {
        if (uri != null) {
            Require.notBlank("spillway.spool.uri", uri);
        }
        Require.positive("spillway.spool.quota", quota);
    }
}
