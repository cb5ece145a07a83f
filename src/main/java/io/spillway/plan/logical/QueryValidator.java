package io.spillway.plan.logical;

import io.spillway.batch.ColumnType;
import io.spillway.catalog.Widening;
import io.spillway.error.ErrorCode;
import io.spillway.error.NearestName;
import io.spillway.error.SpillwayException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.calcite.config.NullCollation;
import org.apache.calcite.prepare.CalciteCatalogReader;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.runtime.CalciteContextException;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlSetOperator;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.validate.SqlConformanceEnum;
import org.apache.calcite.sql.validate.SqlMoniker;
import org.apache.calcite.sql.validate.SqlValidatorException;
import org.apache.calcite.sql.validate.SqlValidatorImpl;
import org.apache.calcite.sql.validate.SqlValidatorScope;
import org.jspecify.annotations.Nullable;

/**
 * Calcite's validator with our functions, types and coercions. It knows which names can be seen
 * where it fails, so that a mistyped one comes with the nearest.
 */
final class QueryValidator extends SqlValidatorImpl {

    private static final Pattern COLUMN =
            Pattern.compile(
                    "Column '(?<name>.*?)' not found in (any table|table '(?<table>.*)').*");
    private static final Pattern AMBIGUOUS = Pattern.compile("Column '(?<name>.*)' is ambiguous");
    private static final Pattern TABLE = Pattern.compile("Table '(?<name>.*?)' not found.*");
    private static final Pattern UNKNOWN = Pattern.compile("Unknown identifier '(?<name>.*)'");

    /** What may be ordered by any value. */
    private static final SqlOperator COLLECTION =
            Objects.requireNonNull(GroupFunctions.find("ARRAY_AGG"));

    private final PlanningContext context;
    private final QueryText text;

    /** What is wrong is not a type, but where something stands. */
    private static final Pattern FORM =
            Pattern.compile(
                    "(?is).*(being grouped|aggregat|window|order by|ordinal|column"
                            + " alias|nested|illegal interval|interval field value).*");

    private @Nullable SqlValidatorScope scope;
    private @Nullable SqlValidatorScope selected;

    /**
     * @param tables that the query names
     * @param text where the query stands
     */
    QueryValidator(CalciteCatalogReader tables, PlanningContext context, QueryText text) {
        super(
                GroupFunctions.table(),
                tables,
                tables.getTypeFactory(),
                Config.DEFAULT
                        .withConformance(SqlConformanceEnum.LENIENT)
                        .withDefaultNullCollation(NullCollation.LAST)
                        .withIdentifierExpansion(true)
                        .withTypeCoercionFactory(StrictCoercion::new));
        this.context = context;
        this.text = text;
    }

    /** The parts of a set operation must have as many columns, of types that meet. */
    @Override
    public void validateQuery(SqlNode node, SqlValidatorScope here, RelDataType target) {
        if (node instanceof SqlCall call && call.getOperator() instanceof SqlSetOperator) {
            for (SqlNode operand : call.getOperandList()) {
                validateQuery(operand, here, target);
            }
            checkParts(call);
        }
        super.validateQuery(node, here, target);
    }

    private void checkParts(SqlCall call) {
        SqlNode second = call.operand(1);
        List<RelDataTypeField> before = fields(call.operand(0));
        List<RelDataTypeField> after = fields(second);
        if (before.size() != after.size()) {
            throw text.error(
                    ErrorCode.INVALID_EXPRESSION,
                    "A part of the %s has %d columns, the first one %d"
                            .formatted(call.getKind().sql, after.size(), before.size()),
                    second);
        }
        for (int i = 0; i < before.size(); i++) {
            ColumnType first = QueryTypes.column(before.get(i).getType());
            ColumnType type = QueryTypes.column(after.get(i).getType());
            if (Widening.common(List.of(first, type)) == null) {
                throw text.at(
                        second.getParserPosition(),
                        UnionBuilder.mismatch(before.get(i).getName(), type, first));
            }
        }
    }

    private List<RelDataTypeField> fields(SqlNode query) {
        return getValidatedNodeType(query).getFieldList();
    }

    /**
     * A discrete percentile may be ordered by whatever ARRAY_AGG may, not by numbers alone, as
     * Calcite has it.
     */
    @Override
    public void validateAggregateParams(
            SqlCall call,
            @Nullable SqlNode filter,
            @Nullable SqlNodeList distinct,
            @Nullable SqlNodeList order,
            SqlValidatorScope here) {
        SqlCall asked =
                call.getKind() == SqlKind.PERCENTILE_DISC
                        ? COLLECTION.createCall(call.getParserPosition(), call.getOperandList())
                        : call;
        super.validateAggregateParams(asked, filter, distinct, order, here);
    }

    /** What a type is not good for is an error where it stands. */
    @Override
    public RelDataType deriveType(SqlValidatorScope here, SqlNode expression) {
        try {
            return super.deriveType(here, expression);
        } catch (SpillwayException e) {
            throw text.at(expression.getParserPosition(), e);
        }
    }

    /** Columns must have names of their own, and types. */
    @Override
    protected void validateSelect(SqlSelect select, RelDataType target) {
        SqlValidatorScope outer = scope;
        scope = getWhereScope(select);
        super.validateSelect(select, target);
        scope = outer;
        SqlNodeList items = select.getSelectList();
        context.checkColumns(items.size());
        Set<String> names = new HashSet<>();
        for (int i = 0; i < items.size(); i++) {
            SqlNode item = items.get(i);
            String name = name(item, i);
            if (!names.add(name)) {
                throw text.at(item.getParserPosition(), Projection.duplicate(name));
            }
            if (getValidatedNodeType(item).getSqlTypeName() == SqlTypeName.NULL) {
                throw text.at(item.getParserPosition(), Projection.untyped(name));
            }
        }
    }

    /** The name of an item, and not the one that Calcite has made of it to tell two apart. */
    private String name(SqlNode item, int position) {
        return item instanceof SqlCall call
                        && call.getKind() == SqlKind.AS
                        && call.operand(0) instanceof SqlIdentifier column
                        && starts(call.operand(1), call)
                ? column.names.getLast()
                : String.valueOf(deriveAlias(item, position));
    }

    private static boolean starts(SqlNode part, SqlNode whole) {
        SqlParserPos a = part.getParserPosition();
        SqlParserPos b = whole.getParserPosition();
        return a.getLineNum() == b.getLineNum() && a.getColumnNum() == b.getColumnNum();
    }

    /** Names of the SELECT list can be seen by an ORDER BY. */
    @Override
    protected void validateOrderList(SqlSelect select) {
        SqlValidatorScope outer = scope;
        selected = select.getOrderList() == null ? null : getOrderScope(select);
        scope = getWhereScope(select);
        super.validateOrderList(select);
        scope = outer;
        selected = null;
    }

    @Override
    public SqlNode expand(SqlNode expression, SqlValidatorScope here) {
        SqlValidatorScope outer = scope;
        scope = here;
        SqlNode expanded = super.expand(expression, here);
        // Not in a finally: where it fails, the names seen there are asked for.
        scope = outer;
        return expanded;
    }

    /**
     * What the validator says, as one of our errors.
     *
     * @param unreadable the error for a column that is there but cannot be read, or null
     */
    SpillwayException failure(
            CalciteContextException e, Function<String, @Nullable SpillwayException> unreadable) {
        Throwable cause = e.getCause() == null ? e : e.getCause();
        String message = String.valueOf(cause.getMessage());
        SqlParserPos pos = new SqlParserPos(e.getPosLine(), e.getPosColumn());
        Matcher column = COLUMN.matcher(message);
        if (column.matches()) {
            SpillwayException hidden = unreadable.apply(column.group("name"));
            SpillwayException failure = hidden == null ? unknownColumn(column) : hidden;
            // Of table.column it is the column that is not found.
            return column.group("table") == null
                    ? text.at(pos, failure)
                    : text.beside(pos, -2, failure);
        }
        Matcher ambiguous = AMBIGUOUS.matcher(message);
        if (ambiguous.matches()) {
            String name = ambiguous.group("name");
            return text.at(
                    pos,
                    new SpillwayException(
                                    ErrorCode.INVALID_EXPRESSION,
                                    "More than one table has a column '%s'; write table.%s"
                                            .formatted(name, name))
                            .with(SpillwayException.COLUMN, name)
                            .with(SpillwayException.FOUND, name));
        }
        Matcher table = TABLE.matcher(message);
        if (table.matches()) {
            String name = table.group("name");
            return text.at(
                    pos,
                    new SpillwayException(
                                    ErrorCode.UNKNOWN_COLUMN,
                                    "'%s' is no table of this SELECT".formatted(name))
                            .with(SpillwayException.SUGGESTION, NearestName.of(name, tables())));
        }
        Matcher unknown = UNKNOWN.matcher(message);
        if (unknown.matches()) {
            String name = unknown.group("name");
            return text.at(
                    pos,
                    new SpillwayException(
                                    ErrorCode.INVALID_EXPRESSION,
                                    "'%s' is no table of this SELECT".formatted(name))
                            .with(SpillwayException.SUGGESTION, NearestName.of(name, tables())));
        }
        if (message.startsWith("Cannot apply 'UNNEST'")) {
            return text.beside(
                    pos,
                    2,
                    new SpillwayException(ErrorCode.TYPE_MISMATCH, "UNNEST takes a list apart", e)
                            .with(SpillwayException.EXPECTED, List.of("a list")));
        }
        return text.at(pos, invalid(e));
    }

    private SpillwayException unknownColumn(Matcher column) {
        String name = column.group("name");
        String table = column.group("table");
        return new SpillwayException(
                        ErrorCode.UNKNOWN_COLUMN,
                        table == null
                                ? "There is no column '%s'".formatted(name)
                                : "There is no column '%s' in '%s'".formatted(name, table))
                .with(SpillwayException.COLUMN, name)
                .with(SpillwayException.FOUND, table == null ? name : table + "." + name)
                .with(
                        SpillwayException.SUGGESTION,
                        // It may be there, but not where it is looked for.
                        NearestName.of(
                                name, columns().stream().filter(c -> !c.equals(name)).toList()));
    }

    /** What a validator says of types and forms, as one of our errors without a place. */
    static SpillwayException invalid(CalciteContextException e) {
        Throwable cause = e.getCause() == null ? e : e.getCause();
        String message = String.valueOf(cause.getMessage());
        int forms = message.indexOf(". Supported form(s): ");
        SpillwayException failure =
                new SpillwayException(
                        cause instanceof SqlValidatorException
                                        && (forms >= 0 || !FORM.matcher(message).matches())
                                ? ErrorCode.TYPE_MISMATCH
                                : ErrorCode.INVALID_EXPRESSION,
                        forms < 0 ? message : message.substring(0, forms),
                        e);
        return forms < 0
                ? failure
                : failure.with(
                        SpillwayException.EXPECTED,
                        message.substring(message.indexOf(':', forms) + 2)
                                .lines()
                                .map(form -> form.replaceFirst("^'(.*)'$", "$1"))
                                .toList());
    }

    private Collection<String> columns() {
        List<SqlMoniker> names = new ArrayList<>();
        if (scope != null) {
            scope.findAllColumnNames(names);
        }
        if (selected != null) {
            selected.findAllColumnNames(names);
        }
        return names.stream().map(n -> n.getFullyQualifiedNames().getLast()).toList();
    }

    private Collection<String> tables() {
        List<SqlMoniker> names = new ArrayList<>();
        if (scope != null) {
            scope.findAliases(names);
        }
        return names.stream().map(n -> n.getFullyQualifiedNames().getLast()).toList();
    }
}
