package io.spillway.delivery;

import io.spillway.delivery.capture.CaptureDataset;
import io.spillway.delivery.capture.CaptureForm;
import io.spillway.delivery.capture.CaptureParts;
import io.spillway.delivery.capture.CapturePlace;
import io.spillway.delivery.capture.CaptureRead;
import io.spillway.delivery.capture.Captured;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.job.Job;
import io.spillway.storage.Existing;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What one delivery captures while this process has it. */
final class Capture {

    private static final Logger LOG = LoggerFactory.getLogger(Capture.class);

    /** How long it waits until it writes again what could not be written. */
    private static final Duration PAUSE = Duration.ofMillis(500);

    /** How often that is tried. */
    private static final int MOST_TRIES = 20;

    private final Deliverer deliverer;
    private final Captures captures;
    private final DeliveryLease lease;
    private final String dataset;
    private final CaptureForm form;
    private final CaptureParts parts;
    private int number;

    /**
     * @param dataset name of what comes of it
     */
    Capture(Deliverer deliverer, DeliveryLease lease, String dataset, CaptureForm form) {
        this.deliverer = deliverer;
        this.captures = deliverer.captures();
        this.lease = lease;
        this.dataset = dataset;
        this.form = form;
        this.parts = captures.parts(lease.delivery());
    }

    /** Name of the dataset. */
    String dataset() {
        return dataset;
    }

    /** Takes what is to be captured out of an answer. */
    CaptureRead read(OpenBatch batch, byte[] response, boolean truncated) {
        return form.capture(batch.firstRow(), batch.rows(), response, truncated);
    }

    /**
     * Makes what was captured durable. What fails is tried again for a while: answers may be dear.
     * Waits for the file system.
     *
     * @return where it is, in the order given
     */
    List<CapturePlace> write(List<Captured> captured) {
        for (int tries = 1; ; tries++) {
            try {
                return parts.write(name(), captured);
            } catch (SpillwayException e) {
                if (!Dispatch.isPassing(e.code()) || tries == MOST_TRIES) {
                    throw e;
                }
                LOG.warn("what delivery {} captured is written later", lease.delivery(), e);
                rest();
            }
        }
    }

    private void rest() {
        if (deliverer.isClosing()) {
            throw new SpillwayException(ErrorCode.SHUTTING_DOWN, "The service is shutting down");
        }
        try {
            Thread.sleep(PAUSE);
        } catch (InterruptedException e) {
            throw new IllegalStateException("nobody interrupts a delivery", e);
        }
    }

    /** A name that none of the delivery's files has had, whichever process wrote it. */
    private synchronized String name() {
        return lease.epoch() + "-" + number++;
    }

    /**
     * Writes the dataset, which nobody finds yet.
     *
     * @return null if it was canceled
     */
    @Nullable CapturedFile write(Job job, BooleanSupplier isCanceled) {
        String name = lease.delivery() + "-" + name();
        String uri = captures.uri(name);
        CaptureDataset.Written written =
                new CaptureDataset(deliverer.jobs(), job, form, parts, isCanceled)
                        .write(
                                captures.store().places(lease.delivery()),
                                captures.files().create(uri, name, Existing.KEEP));
        return written == null
                ? null
                : new CapturedFile(uri, written.rows(), written.file().size());
    }
}
