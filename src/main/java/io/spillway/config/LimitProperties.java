package io.spillway.config;

import io.spillway.plan.document.PlanLimits;
import java.time.Duration;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.bind.Name;
import org.springframework.util.unit.DataSize;

/**
 * What one request may ask for. Whoever meets a limit gets an error that names it.
 *
 * @param body bytes of a request body
 * @param plan how large a plan may be
 * @param files files that one {@code from} may stand for
 * @param pageDefault rows of a page that names no limit
 * @param pageRows rows that a page may ask for
 * @param pageBytes bytes after which a page ends early
 * @param batchRows rows that a batch may ask for
 * @param stall how long a stream waits for a reader that takes nothing
 * @param usualWait how long a call waits for what takes long to be made, before it answers that it
 *     is under way
 * @param maxWait the longest that a call may ask to wait
 */
public record LimitProperties(
        @DefaultValue("16MB") DataSize body,
        @DefaultValue Plan plan,
        @DefaultValue("100000") int files,
        @DefaultValue("1000") int pageDefault,
        @DefaultValue("10000") int pageRows,
        @DefaultValue("16MB") DataSize pageBytes,
        @DefaultValue("1000000") int batchRows,
        @DefaultValue("5m") Duration stall,
        @Name("wait") @DefaultValue("20s") Duration usualWait,
        @DefaultValue("60s") Duration maxWait) {

    public LimitProperties {
        Require.positiveInt("spillway.limits.body", body);
        plan.limits(); // checks the ranges
        Require.that(
                plan.bytes().compareTo(body) <= 0,
                "spillway.limits.plan.bytes must not be over spillway.limits.body");
        Require.positive("spillway.limits.files", files);
        Require.positive("spillway.limits.page-default", pageDefault);
        Require.positive("spillway.limits.page-rows", pageRows);
        Require.that(
                pageDefault <= pageRows,
                "spillway.limits.page-default must not be over spillway.limits.page-rows");
        Require.positive("spillway.limits.page-bytes", pageBytes);
        Require.positive("spillway.limits.batch-rows", batchRows);
        Require.positive("spillway.limits.stall", stall);
        Require.notNegative("spillway.limits.wait", usualWait);
        Require.that(
                usualWait.compareTo(maxWait) <= 0,
                "spillway.limits.wait must not be over spillway.limits.max-wait");
    }

    /**
     * How large a plan may be; each is explained at {@link PlanLimits}, whose defaults these are.
     *
     * @param bytes of the document
     * @param jsonDepth levels of arrays and objects
     * @param steps of the plan, those of joined plans included
     * @param columns of one step or result
     * @param paths of one {@code files}
     * @param values cells of one {@code values}
     * @param listValues items of one list in an expression
     * @param expressionNodes of all expressions together
     * @param expressionDepth levels of an expression
     * @param nameLength characters of a name
     * @param literalDigits digits of a number
     */
    public record Plan(
            @DefaultValue("8MB") DataSize bytes,
            @DefaultValue("64") int jsonDepth,
            @DefaultValue("200") int steps,
            @DefaultValue("10000") int columns,
            @DefaultValue("10000") int paths,
            @DefaultValue("1000000") int values,
            @DefaultValue("100000") int listValues,
            @DefaultValue("200000") int expressionNodes,
            @DefaultValue("200") int expressionDepth,
            @DefaultValue("1000") int nameLength,
            @DefaultValue("400") int literalDigits) {

        public Plan {
            Require.positiveInt("spillway.limits.plan.bytes", bytes);
        }

        /** The same for the plan parser. */
        public PlanLimits limits() {
            return new PlanLimits(
                    Math.toIntExact(bytes.toBytes()),
                    jsonDepth,
                    steps,
                    columns,
                    paths,
                    values,
                    listValues,
                    expressionNodes,
                    expressionDepth,
                    nameLength,
                    literalDigits);
        }
    }
}
