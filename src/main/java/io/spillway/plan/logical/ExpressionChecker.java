package io.spillway.plan.logical;

import io.spillway.batch.ColumnType;
import io.spillway.error.ErrorCode;
import io.spillway.error.NearestName;
import io.spillway.error.SpillwayException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.calcite.avatica.util.TimeUnitRange;
import org.apache.calcite.sql.SqlBasicTypeNameSpec;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlCharStringLiteral;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlDynamicParam;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlIntervalLiteral;
import org.apache.calcite.sql.SqlIntervalQualifier;
import org.apache.calcite.sql.SqlJsonValueReturning;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlUnknownLiteral;
import org.apache.calcite.sql.SqlUnresolvedFunction;
import org.apache.calcite.sql.fun.SqlJsonValueFunction;
import org.apache.calcite.sql.fun.SqlLibraryOperators;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.util.NlsString;
import org.jspecify.annotations.Nullable;

/**
 * Looks at a parsed expression before Calcite's validator does: every name must be a column that
 * can be read or a bound constant, every function and operator one that expressions may use, every
 * type one that columns have. Here errors know their position and the nearest name. Names of
 * functions are resolved on the way, and texts are freed of charsets: all text is Unicode.
 */
class ExpressionChecker {

    /** Operands of JSON_VALUE before what its clauses say. */
    private static final int JSON_OPERANDS = 2;

    private static final int NOT_SPECIFIED = -1;

    private static final Pattern FRACTION_TOO_LONG = Pattern.compile("\\.\\d{10}");

    private static final Pattern BELOW_MILLIS = Pattern.compile("\\.\\d{3}\\d*[1-9]");

    private static final List<String> TYPES =
            List.of(
                    "BOOLEAN",
                    "TINYINT",
                    "SMALLINT",
                    "INTEGER",
                    "BIGINT",
                    "DECIMAL",
                    "REAL",
                    "FLOAT",
                    "DOUBLE",
                    "VARCHAR",
                    "VARBINARY",
                    "DATE",
                    "TIME",
                    "TIMESTAMP",
                    "TIMESTAMP WITH LOCAL TIME ZONE");

    private static final Set<TimeUnitRange> UNITS =
            Set.of(
                    TimeUnitRange.MILLENNIUM,
                    TimeUnitRange.CENTURY,
                    TimeUnitRange.DECADE,
                    TimeUnitRange.YEAR,
                    TimeUnitRange.ISOYEAR,
                    TimeUnitRange.QUARTER,
                    TimeUnitRange.MONTH,
                    TimeUnitRange.DAY,
                    TimeUnitRange.WEEK,
                    TimeUnitRange.DOW,
                    TimeUnitRange.ISODOW,
                    TimeUnitRange.DOY,
                    TimeUnitRange.HOUR,
                    TimeUnitRange.MINUTE,
                    TimeUnitRange.SECOND,
                    TimeUnitRange.MILLISECOND,
                    TimeUnitRange.MICROSECOND,
                    TimeUnitRange.NANOSECOND,
                    TimeUnitRange.EPOCH);

    private final QueryText text;
    private final Relation relation;
    private final Set<String> used = new HashSet<>();
    private final Set<BoundConstant> constants = new HashSet<>();

    ExpressionChecker(QueryText text, Relation relation) {
        this.text = text;
        this.relation = relation;
    }

    /** Names of the columns that were met. */
    Set<String> used() {
        return used;
    }

    /** The constants that were met. */
    Set<BoundConstant> constants() {
        return constants;
    }

    /**
     * The expression, ready for the validator. Recurses as deep as the tree.
     *
     * @throws SpillwayException {@code UNKNOWN_COLUMN}, {@code FILE_NOT_SUPPORTED}, {@code
     *     INVALID_EXPRESSION}, {@code NOT_SUPPORTED}, all with a position
     */
    SqlNode check(SqlNode node) {
        return switch (node) {
            case SqlIntervalLiteral literal -> interval(literal);
            case SqlLiteral literal -> literal(literal);
            case SqlIdentifier name -> identifier(name);
            case SqlNodeList list -> {
                list.replaceAll(this::check);
                yield list;
            }
            case SqlIntervalQualifier unit -> unit(unit);
            case SqlDataTypeSpec type -> type(type);
            case SqlDynamicParam parameter ->
                    throw notSupported("Parameters are not supported", parameter);
            case SqlCall call -> call(call);
            default -> throw notSupported("This is not supported in an expression", node);
        };
    }

    private SqlNode interval(SqlIntervalLiteral literal) {
        SqlIntervalLiteral.IntervalValue value =
                literal.getValueAs(SqlIntervalLiteral.IntervalValue.class);
        if (BELOW_MILLIS.matcher(value.getIntervalLiteral()).find()) {
            throw notSupported("An interval of less than a millisecond is not supported", literal);
        }
        return literal;
    }

    private SqlNode literal(SqlLiteral literal) {
        if (literal.getTypeName() == SqlTypeName.TIMESTAMP_TZ
                || literal.getTypeName() == SqlTypeName.TIME_TZ) {
            throw notSupported("Literals with a time zone are not supported", literal);
        }
        if (literal instanceof SqlUnknownLiteral tagged
                && FRACTION_TOO_LONG.matcher(String.valueOf(tagged.getValue())).find()) {
            throw error(
                    ErrorCode.INVALID_EXPRESSION,
                    "A time has at most 9 digits after the second",
                    literal);
        }
        if (literal instanceof SqlCharStringLiteral characters) {
            NlsString value = characters.getValueAs(NlsString.class);
            if (value.getCharsetName() != null) {
                return SqlLiteral.createCharString(value.getValue(), literal.getParserPosition());
            }
        }
        return literal;
    }

    /** A name where a value is expected. */
    SqlNode identifier(SqlIdentifier name) {
        if (name.isStar()) {
            throw error(ErrorCode.INVALID_EXPRESSION, "'*' cannot stand in an expression", name);
        }
        if (!name.isSimple()) {
            return field(name);
        }
        String simple = name.getSimple();
        Relation.Column column = relation.find(simple);
        if (column == null && !name.isComponentQuoted(0)) {
            BoundConstant constant = BoundConstant.find(simple);
            if (constant != null) {
                return constant(constant, name);
            }
        }
        return column(name);
    }

    /** What stands for a bound constant. */
    SqlNode constant(BoundConstant constant, SqlIdentifier name) {
        constants.add(constant);
        return new SqlIdentifier(constant.identifier(), name.getParserPosition());
    }

    /** The field of a struct, which may be in another one. */
    private SqlNode field(SqlIdentifier name) {
        if (!(relation.find(name.names.getFirst()) instanceof Relation.Available available)
                || !(available.schema().type() instanceof ColumnType.Struct)) {
            throw dotted(name);
        }
        SqlNode value = column(name.getComponent(0));
        for (int i = 1; i < name.names.size(); i++) {
            SqlParserPos pos = name.getComponentParserPosition(i);
            value =
                    NestedFunction.STRUCT_EXTRACT.createCall(
                            pos, value, SqlLiteral.createCharString(name.names.get(i), pos));
        }
        return value;
    }

    /** The error for a name of several parts, which no column has. */
    private SpillwayException dotted(SqlIdentifier name) {
        String whole = String.join(".", name.names);
        return error(
                        ErrorCode.UNKNOWN_COLUMN,
                        "There is no '%s': columns have names of one part; a dot in a name needs double quotes"
                                .formatted(whole),
                        name)
                .with(SpillwayException.FOUND, whole)
                .with(SpillwayException.SUGGESTION, relation.has(whole) ? '"' + whole + '"' : null);
    }

    /** A column by its name in the relation. */
    final SqlIdentifier column(SqlIdentifier name) {
        String simple = name.getSimple();
        try {
            if (relation.column(simple) instanceof Relation.Unreadable unreadable) {
                throw unreadable.error();
            }
        } catch (SpillwayException e) {
            throw e.with(SpillwayException.POSITION, position(name));
        }
        used.add(simple);
        return name;
    }

    /**
     * A call of what sees more than this row; or null if it is none.
     *
     * @throws SpillwayException for what cannot stand here
     */
    @Nullable SqlNode beyondRow(SqlCall call) {
        if (call.getKind().belongsTo(SqlKind.QUERY)) {
            throw notSupported("Queries in expressions are not supported", call);
        }
        if (call.getKind() == SqlKind.OVER) {
            throw error(
                    ErrorCode.INVALID_EXPRESSION,
                    "A window goes over many rows; an expression sees one",
                    call);
        }
        return null;
    }

    private SqlNode call(SqlCall call) {
        SqlOperator operator = call.getOperator();
        SqlNode beyond = beyondRow(call);
        if (beyond != null) {
            return beyond;
        }
        if (call.getKind() == SqlKind.ROW) {
            throw notSupported("ROW values are not supported", call);
        }
        SqlOperator resolved = resolve(operator, call);
        if (resolved.equals(SqlStdOperatorTable.EXTRACT)
                && call.operandCount() == 2
                && call.operand(0) instanceof SqlIdentifier unit) {
            throw notSupported("EXTRACT has no unit " + unit, unit);
        }
        if ((resolved.equals(SqlStdOperatorTable.FLOOR)
                        || resolved.equals(SqlStdOperatorTable.CEIL))
                && call.operandCount() != 1) {
            throw notSupported(resolved.getName() + " to a unit of time is not supported", call);
        }
        if (operator instanceof SqlJsonValueFunction && call.operandCount() > JSON_OPERANDS) {
            return returning(call, resolved);
        }
        if (resolved.equals(operator)) {
            return operands(call);
        }
        List<@Nullable SqlNode> operands = new ArrayList<>();
        for (SqlNode operand : call.getOperandList()) {
            operands.add(operand == null ? null : check(operand));
        }
        return resolved.createCall(
                call.getFunctionQuantifier(), call.getParserPosition(), operands);
    }

    /** JSON_VALUE(text, path RETURNING type): null is what the standard gives for an error. */
    private SqlNode returning(SqlCall call, SqlOperator function) {
        if (call.operandCount() != JSON_OPERANDS + 2
                || !(call.operand(JSON_OPERANDS) instanceof SqlLiteral symbol)
                || symbol.getValue() != SqlJsonValueReturning.RETURNING) {
            throw notSupported("JSON_VALUE with ON EMPTY or ON ERROR is not supported", call);
        }
        SqlParserPos pos = call.getParserPosition();
        return SqlLibraryOperators.TRY_CAST.createCall(
                pos,
                function.createCall(pos, check(call.operand(0)), check(call.operand(1))),
                check(call.operand(JSON_OPERANDS + 1)));
    }

    /** The call, with its operands checked. */
    final SqlCall operands(SqlCall call) {
        for (int i = 0; i < call.operandCount(); i++) {
            SqlNode operand = call.getOperandList().get(i);
            if (operand != null) {
                call.setOperand(i, check(operand));
            }
        }
        return call;
    }

    private SqlOperator resolve(SqlOperator operator, SqlCall call) {
        if (ScalarFunctions.supports(operator)) {
            return operator;
        }
        String name = operator.getName();
        if (operator.getKind() == SqlKind.ITEM) {
            return NestedFunction.ELEMENT_AT;
        }
        if (operator instanceof SqlUnresolvedFunction || operator instanceof SqlJsonValueFunction) {
            SqlOperator function = ScalarFunctions.find(name);
            if (function != null) {
                return function;
            }
        } else if (!(operator instanceof SqlFunction)) {
            throw notSupported(
                    "The operator %s is not supported"
                            .formatted(name.replace("$", "").toUpperCase(Locale.ROOT)),
                    call);
        }
        throw text.at(call.getParserPosition(), unknown(name));
    }

    /** The error for a function that is not there. */
    SpillwayException unknown(String name) {
        return ScalarFunctions.unknown(name);
    }

    private SqlNode unit(SqlIntervalQualifier unit) {
        if (unit.timeFrameName != null || !UNITS.contains(unit.timeUnitRange)) {
            throw notSupported("The unit %s is not supported".formatted(unit), unit)
                    .with(SpillwayException.FOUND, unit.toString())
                    .with(
                            SpillwayException.EXPECTED,
                            UNITS.stream().map(TimeUnitRange::name).sorted().toList());
        }
        return unit;
    }

    private SqlNode type(SqlDataTypeSpec spec) {
        String name = spec.getTypeName().toString();
        if (!(spec.getTypeNameSpec() instanceof SqlBasicTypeNameSpec basic)
                || !TYPES.contains(name.replace('_', ' '))) {
            throw notSupported("The type %s is not supported".formatted(name), spec)
                    .with(SpillwayException.FOUND, name)
                    .with(SpillwayException.EXPECTED, TYPES)
                    .with(SpillwayException.SUGGESTION, NearestName.of(name, TYPES));
        }
        int precision = basic.getPrecision();
        switch (name) {
            case "VARCHAR", "VARBINARY" -> {
                if (precision != NOT_SPECIFIED) {
                    throw notSupported(
                                    "%s with a length is not supported: values are never cut"
                                            .formatted(name),
                                    spec)
                            .with(SpillwayException.SUGGESTION, name);
                }
            }
            case "TIME", "TIMESTAMP", "TIMESTAMP_WITH_LOCAL_TIME_ZONE" -> {
                if (precision > 9 || (precision > 0 && precision % 3 != 0)) {
                    throw notSupported(
                            "%s counts 0, 3, 6 or 9 digits of a second, not %d"
                                    .formatted(name.replace('_', ' '), precision),
                            spec);
                }
            }
            case "DECIMAL" -> {
                int scale = Math.max(0, basic.getScale());
                if (precision == 0 || precision > 38 || (precision > 0 && scale > precision)) {
                    throw error(
                            ErrorCode.INVALID_EXPRESSION,
                            "A DECIMAL has 1 to 38 digits, of which no more than all are fraction",
                            spec);
                }
            }
            default -> {}
        }
        return spec;
    }

    final int position(SqlNode node) {
        return text.position(node);
    }

    final SpillwayException notSupported(String message, SqlNode node) {
        return error(ErrorCode.NOT_SUPPORTED, message, node);
    }

    final SpillwayException error(ErrorCode code, String message, SqlNode node) {
        return new SpillwayException(code, message)
                .with(SpillwayException.POSITION, position(node))
                .with(SpillwayException.POINTER, text.pointer(node));
    }
}
