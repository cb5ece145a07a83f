package io.spillway.spool;

import io.spillway.batch.RowSchema;
import java.util.Optional;

/** The spools of one job. Thread-safe; calls wait for the store or the file system. */
public final class JobSpools {

    private final SpoolManager manager;
    private final String job;

    JobSpools(SpoolManager manager, String job) {
        this.manager = manager;
        this.job = job;
    }

    /**
     * A spool, if it is complete.
     *
     * @param schema that it was built with
     */
    public Optional<Spool> find(int number, RowSchema schema) {
        SpoolId id = new SpoolId(job, number);
        return manager.store()
                .find(id)
                .map(
                        found ->
                                new Spool(
                                        new SpoolLease(id, found.epoch()),
                                        schema,
                                        SpoolManifest.fromJson(found.manifest()),
                                        manager.folder()));
    }

    /**
     * Begins to build a spool, in place of builders that are gone.
     *
     * @return empty if somebody else does, or it is complete
     */
    public Optional<SpoolBuilder> build(int number, RowSchema schema) {
        return manager.store()
                .claim(new SpoolId(job, number), SpoolBuilder.LEASE)
                .map(
                        lease -> {
                            if (lease.epoch() > 1) {
                                SpoolLease last = new SpoolLease(lease.id(), lease.epoch() - 1);
                                manager.folder().delete(last);
                            }
                            return new SpoolBuilder(manager, lease, schema);
                        });
    }

    /** Lets a spool that is lost be built again. */
    public void discard(Spool lost) {
        manager.store().discard(lost.builder().id(), lost.builder().epoch());
    }
}
