package io.spillway.storage;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/** The file systems there are, by URI scheme. Immutable; closing it ends remote clients. */
public final class FileSystems implements AutoCloseable {

    private final Map<String, FileSystemAccess> byScheme;
    private final HadoopClients clients;
    private final RequestThreads threads;

    private FileSystems(
            Map<String, FileSystemAccess> byScheme, HadoopClients clients, RequestThreads threads) {
        this.byScheme = Map.copyOf(byScheme);
        this.clients = clients;
        this.threads = threads;
    }

    /**
     * The machine's own, and Hadoop's by these schemes. Nothing is connected to before it is asked
     * for.
     */
    public static FileSystems of(Collection<String> schemes, HadoopSettings settings) {
        HadoopClients clients = new HadoopClients(settings);
        RequestThreads threads = new RequestThreads(settings.parallelism());
        Map<String, FileSystemAccess> all = new HashMap<>();
        for (String name : schemes) {
            String scheme = UriSchemes.canonical(name);
            all.put(scheme, new HadoopFiles(scheme, clients, threads, settings.parallelism()));
        }
        all.put(UriSchemes.FILE, new LocalFiles());
        return new FileSystems(all, clients, threads);
    }

    /** By the one name of each scheme, see {@link UriSchemes}. */
    public Map<String, FileSystemAccess> byScheme() {
        return byScheme;
    }

    @Override
    public void close() {
        threads.close();
        try {
            clients.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
