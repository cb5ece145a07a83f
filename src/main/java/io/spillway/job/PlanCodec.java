package io.spillway.job;

import io.spillway.plan.physical.PhysicalPlan;
import java.util.function.Function;

/** Physical plans as JSON text, for the store. Thread-safe. */
public interface PlanCodec {

    /** The plan as JSON text; {@link #read} gives an equal plan back. */
    String write(PhysicalPlan plan);

    /**
     * Reads what {@link #write} made.
     *
     * @throws RuntimeException if the text is not a plan
     */
    PhysicalPlan read(String json);

    /** A codec out of its two halves. */
    static PlanCodec of(
            Function<PhysicalPlan, String> writer, Function<String, PhysicalPlan> reader) {
        return new PlanCodec() {
            @Override
            public String write(PhysicalPlan plan) {
                return writer.apply(plan);
            }

            @Override
            public PhysicalPlan read(String json) {
                return reader.apply(json);
            }
        };
    }
}
