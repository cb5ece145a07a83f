package io.spillway.export;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.plan.document.ExportRequest;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Rows of a job, on their way to files, or there.
 *
 * @param id public identifier
 * @param owner name of the caller that made it; to anybody else it does not exist
 * @param request what is to be written where
 * @param createdAt when it was asked for
 * @param state what it does
 * @param rows written so far
 * @param bytes written so far
 * @param files that it consists of, once they are to be seen
 * @param failure why it failed, if it did
 * @param endedAt when it came to its end
 */
public record Export(
        String id,
        String owner,
        ExportRequest request,
        Instant createdAt,
        ExportState state,
        long rows,
        long bytes,
        List<ExportedFile> files,
        @Nullable Failure failure,
        @Nullable Instant endedAt) {

    public Export {
        files = List.copyOf(files);
    }

    /**
     * What went wrong.
     *
     * @param message a sentence
     * @param context the place: file, row, column and their like, as an exception has it
     */
    public record Failure(ErrorCode code, String message, Map<String, Object> context) {

        public Failure {
            context = Collections.unmodifiableMap(new LinkedHashMap<>(context));
        }

        static Failure of(SpillwayException failure) {
            String message = failure.getMessage();
            return new Failure(
                    failure.code(),
                    message == null ? failure.code().title() : message,
                    failure.context());
        }

        /** The same as an exception, as it was thrown. */
        public SpillwayException exception() {
            SpillwayException failure = new SpillwayException(code, message);
            context.forEach(failure::with);
            return failure;
        }
    }
}
