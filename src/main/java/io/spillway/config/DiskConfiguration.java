package io.spillway.config;

import io.spillway.error.SpillwayException;
import io.spillway.expression.Decode;
import io.spillway.spill.SpillManager;
import io.spillway.spool.SpoolManager;
import io.spillway.spool.SpoolStore;
import io.spillway.storage.FileSystemAccess;
import io.spillway.storage.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Where rows are written. A place that cannot be used stops the start. */
@Configuration(proxyBeanMethods = false)
class DiskConfiguration {

    @Bean
    SpillManager spillManager(SpillwayProperties settings) {
        Path folder = spillFolder(settings);
        try {
            return SpillManager.open(folder, settings.spill().quota().toBytes(), Decode::decode);
        } catch (SpillwayException e) {
            throw unusable(folder, "cannot be written: " + cause(e), e);
        }
    }

    /** The one in the home is made; one that was named is there, or its disk is not mounted. */
    private static Path spillFolder(SpillwayProperties settings) {
        Path named = settings.spill().dir();
        if (named == null) {
            return Home.make(settings.home()).resolve("spill");
        }
        Path folder = named.toAbsolutePath().normalize();
        if (!Files.isDirectory(folder)) {
            throw unusable(folder, "is not there, or is no folder", null);
        }
        return folder;
    }

    @Bean
    SpoolManager spoolManager(
            SpillwayProperties settings,
            SpoolStore store,
            FileSystems fileSystems,
            ExecutorService waiting) {
        String uri = SpoolUri.of(settings);
        FileSystemAccess files = fileSystems.byScheme().get(SpoolUri.scheme(uri));
        if (files == null) {
            throw noSpool(uri, "is in a file system that is not configured", null);
        }
        SpoolManager spools =
                new SpoolManager(
                        store,
                        files,
                        uri,
                        settings.spool().quota().toBytes(),
                        SpoolManager.SEGMENT_BYTES,
                        Decode::decode,
                        waiting);
        try {
            spools.check();
        } catch (SpillwayException e) {
            throw noSpool(uri, "cannot be written: " + cause(e), e);
        }
        return spools;
    }

    private static StartupException noSpool(
            String uri, String why, @Nullable SpillwayException cause) {
        return new StartupException(
                "The spool " + uri + " " + why,
                "Set spillway.spool.uri to a folder that this process can write.",
                cause);
    }

    private static StartupException unusable(
            Path folder, String why, @Nullable SpillwayException cause) {
        return new StartupException(
                "The spill folder " + folder + " " + why,
                "Set spillway.spill.dir to a folder that this process can write.",
                cause);
    }

    private static Object cause(SpillwayException e) {
        return e.getCause() == null ? e : e.getCause();
    }
}
