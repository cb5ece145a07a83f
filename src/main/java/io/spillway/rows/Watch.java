package io.spillway.rows;

import io.spillway.batch.BatchStream;
import io.spillway.batch.Poll;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.scan.ScanStream;
import java.util.function.UnaryOperator;

/**
 * Watches both ends of operators at work, and tells how many rows have come of how many. Since
 * operators pull the next batch only when everything of the ones before has come out, that is known
 * whenever they pull.
 *
 * <pre>
 *   rows ──▶ Bottom ──▶ operators ──▶ Top ──▶
 *            position                 rows out
 * </pre>
 */
final class Watch {

    private final Checkpoints places;
    private final ScanStream rows;
    private final long origin;
    private final boolean toEnd;
    private long out;

    /**
     * @param rows what goes into the operators
     * @param origin the position that is row 0 of the places
     * @param out how many rows come of those before {@code rows}
     * @param toEnd whether the end of {@code rows} is the end of what the places are of
     */
    Watch(Checkpoints places, ScanStream rows, long origin, long out, boolean toEnd) {
        this.places = places;
        this.rows = rows;
        this.origin = origin;
        this.out = out;
        this.toEnd = toEnd;
    }

    /**
     * The operators' stream, watched.
     *
     * @param operators puts them over their input, which they take over
     */
    BatchStream over(UnaryOperator<BatchStream> operators) {
        return new Top(operators.apply(new Bottom()));
    }

    private final class Bottom implements BatchStream {

        @Override
        public RowSchema schema() {
            return rows.schema();
        }

        @Override
        public Poll<RecordBatch> poll() {
            places.reached(rows.position() - origin, out);
            Poll<RecordBatch> answer = rows.poll();
            if (answer instanceof Poll.Finished) {
                if (toEnd) {
                    places.finished(rows.position() - origin, out);
                } else {
                    places.reached(rows.position() - origin, out);
                }
            }
            return answer;
        }

        @Override
        public void release() {
            rows.release();
        }

        @Override
        public void close() {
            rows.close();
        }
    }

    private final class Top implements BatchStream {

        private final BatchStream stream;

        Top(BatchStream stream) {
            this.stream = stream;
        }

        @Override
        public RowSchema schema() {
            return stream.schema();
        }

        @Override
        public Poll<RecordBatch> poll() {
            Poll<RecordBatch> answer = stream.poll();
            if (answer instanceof Poll.Output<RecordBatch>(RecordBatch batch)) {
                out += batch.rowCount();
            }
            return answer;
        }

        @Override
        public void release() {
            stream.release();
        }

        @Override
        public void close() {
            stream.close();
        }
    }
}
