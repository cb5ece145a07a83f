package io.spillway.spool;

import io.spillway.storage.FileSystemAccess;

/**
 * Where spools are: a folder of a file system, in it one for each job, in that one for each builder
 * of a spool, in that its segments.
 *
 * <pre>
 *   root / JOB / NUMBER-EPOCH / SEGMENT.spool
 * </pre>
 */
record SpoolFolder(FileSystemAccess files, String root) {

    String segment(SpoolLease lease, int number) {
        return folder(lease) + "/" + name(number);
    }

    /** What clients may see of a segment's place. */
    static String name(int segment) {
        return segment + ".spool";
    }

    /** Deletes what a builder has written. */
    void delete(SpoolLease lease) {
        files.delete(folder(lease));
    }

    /** Deletes all spools of a job. */
    void delete(String job) {
        files.delete(root + "/" + job);
    }

    private String folder(SpoolLease lease) {
        return root + "/" + lease.id().job() + "/" + lease.id().number() + "-" + lease.epoch();
    }
}
