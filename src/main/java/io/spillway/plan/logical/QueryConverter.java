package io.spillway.plan.logical;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import java.util.List;
import org.apache.calcite.prepare.CalciteCatalogReader;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelRoot;
import org.apache.calcite.runtime.CalciteContextException;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql2rel.SqlToRelConverter;
import org.apache.calcite.tools.RelBuilder;

/**
 * From a checked query to our algebra: Calcite's validator and converter, sub-queries made joins,
 * and the nodes that Calcite has no care for the order of replaced by ours.
 */
final class QueryConverter {

    private final PlanningContext context;
    private final QueryText text;
    private final QueryTables tables;

    /**
     * @param text for the places of errors
     * @param tables that the query names
     */
    QueryConverter(PlanningContext context, QueryText text, QueryTables tables) {
        this.context = context;
        this.text = text;
        this.tables = tables;
    }

    /**
     * The query's rows; its columns have unique names.
     *
     * @param checked by {@link QueryChecker}, or made of what {@link GroupChecker} has checked
     * @throws SpillwayException with a place, as far as it is known
     */
    Relation convert(SqlNode checked) {
        CalciteCatalogReader reader = tables.reader();
        QueryValidator validator = new QueryValidator(reader, context, text);
        RelNode node = new QueryAlgebra(context, text).of(algebra(checked, reader, validator));
        return Relation.of(node, TypeMapping.toSchema(node.getRowType()), List.of());
    }

    private RelNode algebra(
            SqlNode checked, CalciteCatalogReader reader, QueryValidator validator) {
        try {
            SqlNode validated = validator.validate(checked);
            SqlToRelConverter converter =
                    new SqlToRelConverter(
                            null,
                            validator,
                            reader,
                            context.cluster(),
                            new Convertlets(),
                            SqlToRelConverter.config()
                                    .withExpand(false)
                                    .withInSubQueryThreshold(Integer.MAX_VALUE)
                                    .withRemoveSortInSubQuery(false)
                                    .withTrimUnusedFields(false)
                                    .withRelBuilderConfigTransform(QueryConverter::plain));
            RelRoot root = converter.convertQuery(validated, false, true);
            return SubQueries.removed(Unnesting.of(root.project()));
        } catch (CalciteContextException e) {
            throw validator.failure(e, tables::unreadable);
        } catch (SpillwayException e) {
            throw e;
        } catch (RuntimeException | AssertionError e) {
            // Calcite throws all sorts of things at texts it did not expect: whatever it is, this
            // text caused it.
            throw new SpillwayException(
                    ErrorCode.INVALID_EXPRESSION, "The query could not be understood", e);
        }
    }

    /** Nothing is simplified, merged or left out on the way. */
    static RelBuilder.Config plain(RelBuilder.Config config) {
        return config.withSimplify(false)
                .withSimplifyLimit(false)
                .withSimplifyValues(false)
                .withPushJoinCondition(false)
                .withPruneInputOfAggregate(false)
                .withRemoveRedundantDistinct(false)
                .withConvertCorrelateToJoin(false)
                .withBloat(-1);
    }
}
