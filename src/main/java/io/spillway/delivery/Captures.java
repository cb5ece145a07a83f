package io.spillway.delivery;

import io.spillway.batch.RowSchema;
import io.spillway.delivery.capture.CaptureColumn;
import io.spillway.delivery.capture.CaptureForm;
import io.spillway.delivery.capture.CaptureParts;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.plan.document.DeliveryRequest;
import io.spillway.storage.FileSystemAccess;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where deliveries keep what they capture, and what comes of it. Thread-safe. Methods wait for file
 * system and database.
 *
 * <pre>
 *   folder/.DELIVERY/EPOCH-NUMBER.part    until the delivery has ended without dead letters
 *   folder/DELIVERY-EPOCH-NUMBER.parquet  until its owner removes it
 * </pre>
 */
public final class Captures {

    private static final Logger LOG = LoggerFactory.getLogger(Captures.class);

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}");

    private final FileSystemAccess files;
    private final String folder;
    private final CaptureStore store;

    /**
     * @param folder URI, without a slash at its end, that replicas share; need not exist
     */
    public Captures(FileSystemAccess files, String folder, CaptureStore store) {
        this.files = files;
        this.folder = folder;
        this.store = store;
    }

    FileSystemAccess files() {
        return files;
    }

    CaptureStore store() {
        return store;
    }

    CaptureParts parts(String delivery) {
        return new CaptureParts(files, folder + "/." + delivery);
    }

    /**
     * Where a dataset is written.
     *
     * @param name of the file, which none has had before
     */
    String uri(String name) {
        return folder + "/" + name + ".parquet";
    }

    /** Name of the dataset that a delivery makes. */
    static String name(String delivery, DeliveryRequest.Capture capture) {
        String named = capture.dataset();
        return named == null ? CapturedDataset.usualName(delivery) : named;
    }

    /** As {@link CaptureForm#of}, for what a request says. */
    static CaptureForm form(DeliveryRequest.Capture capture, RowSchema schema) {
        return CaptureForm.of(
                capture.columns().stream()
                        .map(
                                column ->
                                        new CaptureColumn(
                                                column.name(), column.path(), column.type()))
                        .toList(),
                capture.keys(),
                schema);
    }

    /**
     * Checks how a dataset is to be named.
     *
     * @throws SpillwayException {@code INVALID_PLAN}
     */
    static void checkName(String name) {
        if (!NAME.matcher(name).matches()) {
            throw new SpillwayException(
                            ErrorCode.INVALID_PLAN, "A dataset cannot be named '" + name + "'")
                    .with(SpillwayException.POINTER, "/capture/dataset")
                    .with(SpillwayException.FOUND, name)
                    .with(
                            SpillwayException.EXPECTED,
                            "up to 128 letters, digits, '_', '-' and '.', the first one a letter,"
                                    + " digit or '_'");
        }
    }

    /** Removes what a delivery has no use for any more in the state that it is in. */
    void tidy(Delivery delivery, DeliveryRequest request) {
        if (request.capture() == null) {
            return;
        }
        switch (delivery.state()) {
            case COMPLETED -> discard(delivery.id());
            case FAILED, CANCELED -> {
                store.withdraw(delivery.id());
                discard(delivery.id());
            }
            // What was captured goes into the dataset with what is captured later.
            case RUNNING, PAUSED, DISABLED, COMPLETED_WITH_FAILURES -> {}
        }
    }

    private void discard(String delivery) {
        store.forget(delivery);
        quietly(() -> parts(delivery).delete(), delivery);
    }

    /** Deletes a file that nobody finds. */
    void delete(CapturedFile file) {
        quietly(() -> files.delete(file.uri()), file.uri());
    }

    private static void quietly(Runnable deletion, String what) {
        try {
            deletion.run();
        } catch (SpillwayException e) {
            LOG.warn("captured values stay behind: {}", what, e);
        }
    }

    /**
     * Removes a dataset that deliveries of its owner have made. Jobs that read it fail.
     *
     * @throws SpillwayException {@code UNKNOWN_RESOURCE} if the owner has none of that name
     */
    public void remove(String owner, String name) {
        CapturedDataset dataset =
                store.dataset(owner, name)
                        .filter(found -> found.file() != null && store.remove(found))
                        .orElseThrow(
                                () ->
                                        new SpillwayException(
                                                ErrorCode.UNKNOWN_RESOURCE,
                                                "There is no dataset '" + name + "' of yours"));
        CapturedFile file = dataset.file();
        if (file != null) {
            delete(file);
        }
        discard(dataset.delivery());
    }
}
