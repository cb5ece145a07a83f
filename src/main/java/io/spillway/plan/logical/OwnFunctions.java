package io.spillway.plan.logical;

import io.spillway.batch.ColumnType;
import io.spillway.expression.Function;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlBasicFunction;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.ReturnTypes;
import org.apache.calcite.sql.type.SqlTypeFamily;
import org.apache.calcite.sql.type.SqlTypeTransforms;

/** The functions that Calcite has no operator for with the same meaning, by name. */
final class OwnFunctions {

    private static final ColumnType BOOL = new ColumnType.Bool();
    private static final ColumnType TEXT = new ColumnType.Utf8();
    private static final ColumnType INT32 = new ColumnType.Int(32, true);
    private static final ColumnType INT64 = new ColumnType.Int(64, true);
    private static final ColumnType FLOAT64 = new ColumnType.FloatingPoint(64);

    private final Map<String, SqlOperator> byName = new LinkedHashMap<>();

    private OwnFunctions() {}

    /** All of them. */
    static Map<String, SqlOperator> byName() {
        OwnFunctions functions = new OwnFunctions();
        functions.math();
        functions.texts();
        functions.patterns();
        functions.moments();
        functions.nested();
        return functions.byName;
    }

    private void math() {
        for (Function function :
                new Function[] {
                    Function.LOG10,
                    Function.LOG2,
                    Function.CBRT,
                    Function.SIN,
                    Function.COS,
                    Function.TAN,
                    Function.ASIN,
                    Function.ACOS,
                    Function.ATAN,
                    Function.SINH,
                    Function.COSH,
                    Function.TANH,
                    Function.DEGREES,
                    Function.RADIANS
                }) {
            add(NamedFunction.of(function, FLOAT64, FLOAT64));
        }
        add(NamedFunction.of(Function.ATAN2, FLOAT64, FLOAT64, FLOAT64));
        add(
                SqlBasicFunction.create(
                        "SIGN", binding -> sign(binding.getOperandType(0)), OperandTypes.NUMERIC));
    }

    /** An integer for exact numbers: a decimal may have no digit before its point. */
    private static RelDataType sign(RelDataType operand) {
        ColumnType type = TypeMapping.toColumn(operand);
        return TypeMapping.toRel(type instanceof ColumnType.FloatingPoint ? type : INT32, true);
    }

    private void texts() {
        add(NamedFunction.of(Function.OCTET_LENGTH, INT32, TEXT));
        add(NamedFunction.of(Function.LEFT, TEXT, TEXT, INT32));
        add(NamedFunction.of(Function.RIGHT, TEXT, TEXT, INT32));
        add(NamedFunction.of(Function.LTRIM, TEXT, 1, TEXT, TEXT));
        add(NamedFunction.of(Function.RTRIM, TEXT, 1, TEXT, TEXT));
        add(NamedFunction.of(Function.LPAD, TEXT, 2, TEXT, INT32, TEXT));
        add(NamedFunction.of(Function.RPAD, TEXT, 2, TEXT, INT32, TEXT));
        add(NamedFunction.of(Function.REPEAT, TEXT, TEXT, INT32));
        add(NamedFunction.of(Function.REVERSE, TEXT, TEXT));
        add(NamedFunction.of(Function.SPLIT_PART, TEXT, TEXT, TEXT, INT32));
        add(NamedFunction.of(Function.STARTS_WITH, BOOL, TEXT, TEXT));
        add(NamedFunction.of(Function.ENDS_WITH, BOOL, TEXT, TEXT));
        add(NamedFunction.of(Function.CONTAINS, BOOL, TEXT, TEXT));
        add(NamedFunction.of(Function.MD5, TEXT, TEXT));
        add(NamedFunction.of(Function.SHA256, TEXT, TEXT));
        add(NamedFunction.of(Function.XXHASH64, INT64, TEXT));
    }

    private void patterns() {
        add(NamedFunction.of(Function.REGEXP_LIKE, BOOL, TEXT, TEXT), "REGEXP_MATCHES");
        add(NamedFunction.of(Function.REGEXP_EXTRACT, TEXT, 2, TEXT, TEXT, INT32));
        add(NamedFunction.of(Function.REGEXP_REPLACE, TEXT, TEXT, TEXT, TEXT));
    }

    private void moments() {
        SqlTypeFamily text = SqlTypeFamily.CHARACTER;
        SqlTypeFamily moment = SqlTypeFamily.DATETIME;
        add(
                SqlBasicFunction.create(
                        "DATE_TRUNC",
                        ReturnTypes.ARG1.andThen(SqlTypeTransforms.FORCE_NULLABLE),
                        OperandTypes.family(text, moment)));
        add(
                SqlBasicFunction.create(
                        "DATE_BUCKET",
                        ReturnTypes.ARG2.andThen(SqlTypeTransforms.FORCE_NULLABLE),
                        OperandTypes.family(text, SqlTypeFamily.INTEGER, moment)));
        add(
                SqlBasicFunction.create(
                        "DATE_ADD",
                        ReturnTypes.ARG2.andThen(SqlTypeTransforms.FORCE_NULLABLE),
                        OperandTypes.family(text, SqlTypeFamily.INTEGER, moment)));
        add(
                SqlBasicFunction.create(
                        "DATE_DIFF",
                        ReturnTypes.BIGINT_FORCE_NULLABLE,
                        OperandTypes.family(text, moment, moment)));
        add(
                SqlBasicFunction.create(
                        "DATE_PART",
                        ReturnTypes.BIGINT_FORCE_NULLABLE,
                        OperandTypes.family(text, moment)));
        add(
                SqlBasicFunction.create(
                        "STRFTIME",
                        binding -> TypeMapping.toRel(TEXT, true),
                        OperandTypes.family(moment, text)));
        ColumnType timestamp = new ColumnType.Timestamp(ColumnType.TimeUnit.MICRO, false);
        add(NamedFunction.of(Function.STRPTIME, timestamp, TEXT, TEXT));
        add(NamedFunction.of(Function.TRY_STRPTIME, timestamp, TEXT, TEXT));
    }

    private void nested() {
        add(NestedFunction.CARDINALITY, "ARRAY_LENGTH");
        add(NestedFunction.ELEMENT_AT);
        add(NestedFunction.ARRAY_CONTAINS, "LIST_CONTAINS");
        add(NestedFunction.STRUCT_EXTRACT);
        add(StructFunction.NAMED_STRUCT);
        add(NamedFunction.of(Function.JSON_VALUE, TEXT, TEXT, TEXT));
    }

    private void add(SqlOperator operator, String... otherNames) {
        byName.put(operator.getName(), operator);
        for (String name : otherNames) {
            byName.put(name, operator);
        }
    }
}
