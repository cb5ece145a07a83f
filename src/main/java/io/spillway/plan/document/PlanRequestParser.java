package io.spillway.plan.document;

import io.spillway.error.SpillwayException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Reads request bodies. Strict: an unknown field, a field of the wrong type, or a key that stands
 * twice is an error with its place; nothing is ignored and nothing converted. Thread-safe.
 */
public final class PlanRequestParser {

    private final PlanLimits limits;
    private final JsonReader reader;

    public PlanRequestParser(PlanLimits limits) {
        this.limits = limits;
        this.reader = new JsonReader(limits);
    }

    /**
     * Reads {@code {"plan": {…}, "options": {…}}}.
     *
     * @param body JSON in UTF-8 (or UTF-16 or UTF-32, which RFC 8259's forerunner allowed and the
     *     parser detects)
     * @throws SpillwayException {@code MALFORMED_JSON} with the byte offset as {@code position},
     *     {@code INVALID_PLAN} with {@code pointer} and where it makes sense {@code found}, {@code
     *     expected} and {@code suggestion}, {@code TYPE_MISMATCH} for a value of {@code values}
     *     that does not have its column's type, {@code DUPLICATE_COLUMN}, {@code NOT_SUPPORTED} for
     *     what the interface knows and this version does not, {@code PLAN_TOO_LARGE} and {@code
     *     PLAN_TOO_DEEP} with {@code limit}
     */
    public PlanRequest parse(byte[] body) {
        Fields request = Fields.of(reader.read(body), Place.ROOT).only("plan", "options");
        PlanDocument plan =
                new PlanParser(limits).parse(request.required("plan"), request.place("plan"));
        JsonValue options = request.optional("options");
        return new PlanRequest(
                plan,
                options == null
                        ? PlanOptions.none()
                        : OptionsParser.parse(options, request.place("options"), limits));
    }

    /**
     * Reads the body of a renewal, {@code {"ttl": "24h"}}.
     *
     * @param body as for {@link #parse}; may be empty
     * @return the life that is asked for, or null if none is
     * @throws SpillwayException as {@link #parse}
     */
    public @Nullable Duration parseRenewal(byte[] body) {
        if (body.length == 0) {
            return null;
        }
        Fields request = Fields.of(reader.read(body), Place.ROOT).only("ttl");
        JsonValue ttl = request.optional("ttl");
        return ttl == null ? null : OptionsParser.duration(ttl, request.place("ttl"));
    }

    /**
     * Reads the body of an export, {@code {"job": "…", "path": "…", "overwrite": false,
     * "maxFileRows": 1000000, "maxFileBytes": "256MiB"}}.
     *
     * @param body as for {@link #parse}
     * @throws SpillwayException as {@link #parse}
     */
    public ExportRequest parseExport(byte[] body) {
        Fields request =
                Fields.of(reader.read(body), Place.ROOT)
                        .only("job", "path", "overwrite", "maxFileRows", "maxFileBytes");
        JsonValue rows = request.optional("maxFileRows");
        JsonValue bytes = request.optional("maxFileBytes");
        ExportRequest export =
                new ExportRequest(
                        request.requiredString("job"),
                        request.requiredString("path"),
                        request.flag("overwrite"),
                        rows == null
                                ? null
                                : Fields.integer(
                                        rows, request.place("maxFileRows"), 1, Long.MAX_VALUE),
                        bytes == null
                                ? null
                                : OptionsParser.bytes(bytes, request.place("maxFileBytes")));
        if (export.overwrite() && export.isFolder()) {
            throw request.place("overwrite")
                    .invalid("A folder of files is never overwritten: name a new one");
        }
        return export;
    }

    /**
     * Reads a delivery, {@code {"job": "…", "target": {"url": "https://…"}, "batch": {"rows": 96},
     * …}}. Whether its target may be sent to, and whether the rows have the columns that it names,
     * is for others to say.
     *
     * @param body as for {@link #parse}
     * @throws SpillwayException as {@link #parse}
     */
    public DeliveryRequest parseDelivery(byte[] body) {
        return DeliveriesParser.delivery(reader.read(body), limits);
    }

    /**
     * A delivery as it is to be stored: another body for {@link #parseDelivery}, with the rows of a
     * job.
     *
     * @param body that can be read as a delivery
     * @param job whose rows they are
     */
    public String deliveryOf(byte[] body, String job) {
        return DeliveriesParser.stored(reader.read(body), job);
    }

    /**
     * Reads which dead letters are to be sent once more, {@code {"batches": [0, 96]}} or {@code
     * {"all": true}}.
     *
     * @param body as for {@link #parse}
     * @throws SpillwayException as {@link #parse}
     */
    public ReplayRequest parseReplay(byte[] body) {
        return DeliveriesParser.replay(reader.read(body));
    }

    /**
     * Reads into how many splits, and how, {@code {"count": 8, "equalRows": "pad", "alignTo": 96}}.
     *
     * @param body as for {@link #parse}
     * @throws SpillwayException as {@link #parse}
     */
    public SplitsRequest parseSplits(byte[] body) {
        return SplitsParser.splits(reader.read(body));
    }

    /**
     * Reads where a split is to be divided, {@code {"row": 137}} or {@code {"fraction": 0.5}}.
     *
     * @param body as for {@link #parse}
     * @throws SpillwayException as {@link #parse}
     */
    public DivideRequest parseDivide(byte[] body) {
        return SplitsParser.divide(reader.read(body));
    }

    /**
     * Reads what a consumer group is to be, {@code {"batch": {"rows": 96, "maxBytes": 1000000,
     * "weight": {"column": "tokens", "max": 300000}, "dropLast": false}, "leaseTime": "60s"}}.
     *
     * @param body as for {@link #parse}
     * @throws SpillwayException as {@link #parse}
     */
    public GroupRequest parseGroup(byte[] body) {
        return GroupsParser.group(reader.read(body));
    }

    /**
     * Reads a claim, {@code {"reader": "worker-7", "batches": 2, "leaseTime": "60s"}}.
     *
     * @param body as for {@link #parse}
     * @throws SpillwayException as {@link #parse}
     */
    public ClaimRequest parseClaim(byte[] body) {
        return GroupsParser.claim(reader.read(body));
    }

    /**
     * Reads the body of a lease's renewal, {@code {"leaseTime": "60s"}}.
     *
     * @param body as for {@link #parse}; may be empty
     * @return the time that is asked for, or null if none is
     * @throws SpillwayException as {@link #parse}
     */
    public @Nullable Duration parseLeaseTime(byte[] body) {
        return body.length == 0 ? null : GroupsParser.renewal(reader.read(body));
    }

    /**
     * Reads to which row a consumer group goes back, {@code {"row": 9600}}.
     *
     * @param body as for {@link #parse}
     * @throws SpillwayException as {@link #parse}
     */
    public long parseReset(byte[] body) {
        return GroupsParser.reset(reader.read(body));
    }
}
