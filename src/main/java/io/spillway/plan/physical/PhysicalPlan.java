package io.spillway.plan.physical;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.spillway.batch.RowSchema;
import io.spillway.expression.Expression;
import io.spillway.scan.ScanFile;
import java.util.List;

/**
 * What is executed. A tree of resolved operators that holds all it needs (files and their states,
 * columns by position, types), so that it can be stored as JSON with the job, read back after a
 * restart, and run the same way for as long as the job lives. It is never optimised again: it fixes
 * the job's row order.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "op")
@JsonSubTypes({
    @JsonSubTypes.Type(value = PhysicalPlan.Scan.class, name = "scan"),
    @JsonSubTypes.Type(value = PhysicalPlan.Values.class, name = "values"),
    @JsonSubTypes.Type(value = PhysicalPlan.Filter.class, name = "filter"),
    @JsonSubTypes.Type(value = PhysicalPlan.Project.class, name = "project"),
    @JsonSubTypes.Type(value = PhysicalPlan.Limit.class, name = "limit")
})
public sealed interface PhysicalPlan {

    /** The columns that come out. */
    RowSchema schema();

    /** The plans that this one reads, in order. */
    @JsonIgnore
    List<PhysicalPlan> inputs();

    /**
     * Rows of files, in (file, row group, row) order.
     *
     * @param format name of the scan format
     * @param files pinned files, in scan order
     * @param schema the columns to read, by name; any subset of the files' columns in any order,
     *     even none
     */
    record Scan(String format, List<ScanFile> files, RowSchema schema) implements PhysicalPlan {

        public Scan {
            files = List.copyOf(files);
        }

        @Override
        public List<PhysicalPlan> inputs() {
            return List.of();
        }
    }

    /** Rows that stand in the plan itself: one list of literals a row. */
    record Values(RowSchema schema, List<List<Expression.Literal>> rows) implements PhysicalPlan {

        public Values {
            rows = List.copyOf(rows);
        }

        @Override
        public List<PhysicalPlan> inputs() {
            return List.of();
        }
    }

    /** The input's rows for which the predicate is true. */
    record Filter(PhysicalPlan input, Expression predicate) implements PhysicalPlan {

        @Override
        @JsonIgnore
        public RowSchema schema() {
            return input.schema();
        }

        @Override
        public List<PhysicalPlan> inputs() {
            return List.of(input);
        }
    }

    /** For each row of the input, the values of the expressions. */
    record Project(PhysicalPlan input, List<Expression> expressions, RowSchema schema)
            implements PhysicalPlan {

        public Project {
            expressions = List.copyOf(expressions);
        }

        @Override
        public List<PhysicalPlan> inputs() {
            return List.of(input);
        }
    }

    /**
     * Rows {@code [offset, offset + rows)} of the input; {@code rows} is {@code Long.MAX_VALUE}
     * where only an offset was asked.
     */
    record Limit(PhysicalPlan input, long offset, long rows) implements PhysicalPlan {

        @Override
        @JsonIgnore
        public RowSchema schema() {
            return input.schema();
        }

        @Override
        public List<PhysicalPlan> inputs() {
            return List.of(input);
        }
    }
}
