package io.spillway.plan.logical;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.RowSchema;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.expression.Expression;
import io.spillway.expression.ExpressionCompiler;
import io.spillway.plan.document.PlanLimits;
import io.spillway.plan.document.PlanText;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.calcite.config.CalciteConnectionConfigImpl;
import org.apache.calcite.jdbc.CalciteSchema;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.prepare.CalciteCatalogReader;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.runtime.CalciteContextException;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.validate.SqlConformanceEnum;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql.validate.SqlValidatorUtil;
import org.apache.calcite.sql2rel.SqlToRelConverter;

/**
 * From an expression's text to a typed row expression over a relation: bounded, parsed, checked,
 * validated, converted. One for each plan, since it counts the plan's nodes; not thread-safe.
 */
final class ExpressionResolver {

    private static final SqlOperatorTable OPERATORS = ScalarFunctions.table();

    private final PlanLimits limits;
    private final Instant now;
    private final RexBuilder builder;
    private final SqlValidator validator;
    private final SqlToRelConverter converter;
    private int nodes;

    /**
     * A resolver for one plan.
     *
     * @param now what CURRENT_TIMESTAMP and its like stand for
     */
    ExpressionResolver(RelOptCluster cluster, PlanLimits limits, Instant now) {
        this.limits = limits;
        this.now = now;
        this.builder = cluster.getRexBuilder();
        CalciteCatalogReader noTables =
                new CalciteCatalogReader(
                        CalciteSchema.createRootSchema(false),
                        List.of(),
                        cluster.getTypeFactory(),
                        new CalciteConnectionConfigImpl(new Properties()));
        this.validator =
                SqlValidatorUtil.newValidator(
                        OPERATORS,
                        noTables,
                        cluster.getTypeFactory(),
                        SqlValidator.Config.DEFAULT
                                .withConformance(SqlConformanceEnum.LENIENT)
                                .withTypeCoercionFactory(StrictCoercion::new));
        this.converter =
                new SqlToRelConverter(
                        null,
                        validator,
                        noTables,
                        cluster,
                        new Convertlets(),
                        SqlToRelConverter.config()
                                .withExpand(false)
                                .withInSubQueryThreshold(Integer.MAX_VALUE));
    }

    /**
     * The expression over the columns of a relation.
     *
     * @throws SpillwayException with the text's pointer, and with position, found, expected and
     *     suggestion as far as they are known
     */
    RexNode resolve(PlanText source, Relation relation) {
        try {
            ExpressionTokens tokens = ExpressionTokens.of(source.text());
            BoundedExpression text = BoundedExpression.of(tokens, source.text(), limits);
            count(text.nodes());
            SqlNode parsed = ExpressionParser.parse(text, relation.names());
            return resolve(
                    parsed, new ExpressionChecker(new QueryText(text), relation), text, relation);
        } catch (SpillwayException e) {
            throw e.with(SpillwayException.POINTER, source.pointer());
        }
    }

    /**
     * A parsed expression over the columns of a relation.
     *
     * @param checker tells what its names mean
     * @param text what it was parsed from, which is counted already
     * @throws SpillwayException with position, found, expected and suggestion as far as they are
     *     known
     */
    RexNode resolve(
            SqlNode parsed, ExpressionChecker checker, BoundedExpression text, Relation relation) {
        SqlNode checked = checker.check(parsed);
        new NestedUse(text, relation).check(checked);
        checkShape(checked);
        if (checked instanceof SqlIdentifier name
                && relation.find(name.getSimple()) instanceof Relation.Available column) {
            return reference(column, relation);
        }
        return Places.within(
                convert(checked, text, columns(checker, relation)),
                new QueryText(text),
                expression -> executable(expression, relation.schema()));
    }

    /**
     * The expression, if it can be executed: asked here, since only here its place is known, and
     * the optimiser merely puts together what was found good. Calcite's opinion on whether it can
     * be null is replaced by ours.
     */
    RexNode executable(RexNode expression, RowSchema schema) {
        Expression translated = RexTranslator.translate(expression);
        ExpressionCompiler.compile(translated, schema).close();
        boolean nullable = Nullability.of(translated, schema);
        RelDataType type = expression.getType();
        return nullable == type.isNullable() || type.getSqlTypeName() == SqlTypeName.NULL
                ? expression
                : builder.makeAbstractCast(
                        builder.getTypeFactory().createTypeWithNullability(type, nullable),
                        expression,
                        false);
    }

    /** A column as it is, whatever its type. */
    RexNode reference(Relation.Available column, Relation relation) {
        return builder.makeInputRef(relation.node(), column.index());
    }

    /** What CURRENT_TIMESTAMP and its like stand for. */
    Instant now() {
        return now;
    }

    /** Nodes counted so far. */
    int nodes() {
        return nodes;
    }

    /**
     * Counts nodes of the plan's expressions.
     *
     * @throws SpillwayException {@code PLAN_TOO_LARGE}
     */
    void count(int more) {
        nodes += more;
        if (nodes > limits.expressionNodes()) {
            throw PlanLimits.tooLarge(
                    "expressionNodes",
                    limits.expressionNodes(),
                    "The plan's expressions have more than %d nodes"
                            .formatted(limits.expressionNodes()));
        }
    }

    /**
     * Does an expression stay within the limits when it is written out?
     *
     * @throws SpillwayException {@code PLAN_TOO_DEEP}, {@code PLAN_TOO_LARGE}
     */
    void checkShape(SqlNode checked) {
        ExpressionShape shape = ExpressionShape.of(checked);
        if (shape.depth() > limits.expressionDepth()) {
            throw PlanLimits.tooDeep(
                    "expressionDepth",
                    limits.expressionDepth(),
                    "The expression has %d levels".formatted(shape.depth()));
        }
        if (shape.nodes() > 4L * limits.expressionNodes()) {
            throw PlanLimits.tooLarge(
                    "expressionNodes",
                    limits.expressionNodes(),
                    "The expression repeats its operands too often");
        }
    }

    /** What the expression's names stand for: values of a type that has arithmetic. */
    private Map<String, RexNode> columns(ExpressionChecker checker, Relation relation) {
        Map<String, RexNode> nodes = new HashMap<>();
        for (String name : checker.used()) {
            if (relation.column(name) instanceof Relation.Available column) {
                ColumnSchema schema = column.schema();
                RelDataType type =
                        TypeMapping.toRel(
                                TypeMapping.inExpression(schema.type()), schema.nullable());
                RexNode reference = reference(column, relation);
                nodes.put(
                        name,
                        reference.getType().equals(type)
                                ? reference
                                : builder.makeAbstractCast(type, reference, false));
            }
        }
        for (BoundConstant constant : checker.constants()) {
            nodes.put(constant.identifier(), constant.bind(now, builder));
        }
        return nodes;
    }

    private RexNode convert(SqlNode checked, BoundedExpression text, Map<String, RexNode> names) {
        Map<String, RelDataType> types = new HashMap<>();
        names.forEach((name, node) -> types.put(name, node.getType()));
        try {
            SqlNode validated = validator.validateParameterizedExpression(checked, types);
            return converter.convertExpression(validated, names);
        } catch (CalciteContextException e) {
            throw invalid(e, text);
        } catch (SpillwayException e) {
            throw e;
        } catch (RuntimeException e) {
            // Calcite throws all sorts of things at texts it did not expect: whatever it is, this
            // text caused it.
            throw new SpillwayException(
                    ErrorCode.INVALID_EXPRESSION, "The expression could not be understood", e);
        }
    }

    private static SpillwayException invalid(CalciteContextException e, BoundedExpression text) {
        int position =
                ExpressionParser.position(new SqlParserPos(e.getPosLine(), e.getPosColumn()), text);
        return QueryValidator.invalid(e)
                .with(SpillwayException.POSITION, position)
                .with(SpillwayException.FOUND, text.tokens().found(position));
    }
}
