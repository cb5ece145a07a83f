package io.spillway.plan.logical;

import io.spillway.batch.ColumnType;
import io.spillway.batch.ColumnType.TimeUnit;
import io.spillway.plan.document.TemporalText;
import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlCallBinding;
import org.apache.calcite.sql.SqlCharStringLiteral;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlUtil;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.SqlTypeFamily;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql.validate.SqlValidatorScope;
import org.apache.calcite.sql.validate.implicit.TypeCoercionImpl;
import org.apache.calcite.util.Static;
import org.jspecify.annotations.Nullable;

/**
 * What may meet in a comparison without a cast: numbers with numbers, texts with texts, truth
 * values, bytes, dates with timestamps, times; and a text literal with a date, time or timestamp,
 * which it then must be one of. Everything else is an error rather than a guess: a text never turns
 * into a number, nor a number into a text, because they were compared. Numbers keep their types
 * here; the physical plan brings them together.
 */
final class StrictCoercion extends TypeCoercionImpl {

    /** What later ones can hold of earlier ones. */
    private static final List<SqlTypeName> BY_CONTENT =
            List.of(
                    SqlTypeName.DATE,
                    SqlTypeName.TIMESTAMP,
                    SqlTypeName.TIMESTAMP_WITH_LOCAL_TIME_ZONE);

    StrictCoercion(RelDataTypeFactory factory, SqlValidator validator) {
        super(factory, validator);
    }

    private enum Group {
        ANY,
        BOOLEAN,
        NUMBER,
        TEXT,
        BINARY,
        DATE,
        TIME,
        OTHER
    }

    private static Group group(RelDataType type) {
        return switch (type.getSqlTypeName()) {
            case NULL, UNKNOWN, ANY -> Group.ANY;
            case BOOLEAN -> Group.BOOLEAN;
            case TINYINT, SMALLINT, INTEGER, BIGINT, DECIMAL, FLOAT, REAL, DOUBLE -> Group.NUMBER;
            case CHAR, VARCHAR -> Group.TEXT;
            case BINARY, VARBINARY -> Group.BINARY;
            case DATE, TIMESTAMP, TIMESTAMP_WITH_LOCAL_TIME_ZONE -> Group.DATE;
            case TIME -> Group.TIME;
            default -> Group.OTHER;
        };
    }

    @Override
    public boolean binaryComparisonCoercion(SqlCallBinding binding) {
        RelDataType temporal = null;
        for (int i = 0; i < binding.getOperandCount(); i++) {
            RelDataType type = binding.getOperandType(i);
            if (temporal(type) && (temporal == null || finer(type, temporal))) {
                temporal = type;
            }
        }
        boolean coerced = false;
        if (temporal != null) {
            for (int i = 0; i < binding.getOperandCount(); i++) {
                coerced |= toTemporal(binding, i, temporal);
            }
        }
        Group common = Group.ANY;
        for (int i = 0; i < binding.getOperandCount(); i++) {
            common = meet(binding, common, binding.getOperandType(i));
        }
        return coerced;
    }

    private boolean toTemporal(SqlCallBinding binding, int index, RelDataType temporal) {
        SqlNode operand = binding.operand(index);
        RelDataType type = binding.getOperandType(index);
        if (operand instanceof SqlCharStringLiteral literal) {
            RelDataType own = typeOf(literal, temporal);
            return coerceOperandType(binding.getScope(), binding.getCall(), index, own);
        }
        boolean dateAmongTimestamps =
                type.getSqlTypeName() == SqlTypeName.DATE
                        && temporal.getSqlTypeName() != SqlTypeName.DATE;
        return dateAmongTimestamps
                && coerceOperandType(binding.getScope(), binding.getCall(), index, temporal);
    }

    private static boolean temporal(RelDataType type) {
        return group(type) == Group.DATE || group(type) == Group.TIME;
    }

    /**
     * A timestamp holds whatever a date holds; an instant stands for the local time it is in UTC.
     */
    private static boolean finer(RelDataType type, RelDataType than) {
        return BY_CONTENT.indexOf(type.getSqlTypeName())
                > BY_CONTENT.indexOf(than.getSqlTypeName());
    }

    private static Group meet(SqlCallBinding binding, Group common, RelDataType type) {
        Group group = group(type);
        if (group == Group.OTHER
                || (common != Group.ANY && group != Group.ANY && group != common)) {
            throw binding.newValidationSignatureError();
        }
        return common == Group.ANY ? group : common;
    }

    @Override
    public boolean inOperationCoercion(SqlCallBinding binding) {
        RelDataType left = binding.getOperandType(0);
        if (!(binding.operand(1) instanceof SqlNodeList values)) {
            return false;
        }
        boolean coerced = false;
        Group common = group(left);
        for (int i = 0; i < values.size(); i++) {
            if (temporal(left) && values.get(i) instanceof SqlCharStringLiteral literal) {
                SqlNode cast = cast(literal, typeOf(literal, left));
                validator.deriveType(binding.getScope(), cast);
                values.set(i, cast);
                coerced = true;
            } else {
                Group group = group(validator.deriveType(binding.getScope(), values.get(i)));
                if (group != Group.ANY && common != Group.ANY && group != common) {
                    throw validator.newValidationError(
                            values.get(i), Static.RESOURCE.incompatibleValueType("IN"));
                }
                common = common == Group.ANY ? group : common;
            }
        }
        if (coerced) {
            validator.setValidatedNodeType(values, left);
        }
        return coerced;
    }

    private static SqlNode cast(SqlNode node, RelDataType type) {
        return SqlStdOperatorTable.CAST.createCall(
                node.getParserPosition(), node, SqlTypeUtil.convertTypeToSpec(type));
    }

    /**
     * A literal that is compared with a date, time or timestamp must be one, now. Its type is the
     * other side's, with a finer unit if it says more than that can hold.
     */
    private RelDataType typeOf(SqlCharStringLiteral literal, RelDataType temporal) {
        String text = literal.getValueAs(String.class);
        ColumnType type = TypeMapping.toColumn(temporal);
        if (type instanceof ColumnType.Date && TemporalText.date(text) != null) {
            return temporal;
        }
        for (TimeUnit unit : TimeUnit.values()) {
            if (type instanceof ColumnType.Time(TimeUnit least)
                    && unit.digits() >= least.digits()
                    && TemporalText.time(text, unit) != null) {
                return TypeMapping.toRel(new ColumnType.Time(unit), false);
            }
            if (type instanceof ColumnType.Timestamp(TimeUnit least, boolean utc)
                    && unit.digits() >= least.digits()
                    && TemporalText.timestamp(text, unit, utc) != null) {
                return TypeMapping.toRel(new ColumnType.Timestamp(unit, utc), false);
            }
        }
        throw SqlUtil.newContextException(
                literal.getParserPosition(),
                Static.RESOURCE.illegalLiteral(type.toString(), text, "it is compared with one"));
    }

    @Override
    public boolean binaryArithmeticCoercion(SqlCallBinding binding) {
        return false;
    }

    @Override
    public boolean caseOrEquivalentCoercion(SqlCallBinding binding) {
        return false;
    }

    @Override
    public boolean builtinFunctionCoercion(
            SqlCallBinding binding,
            List<RelDataType> operandTypes,
            List<SqlTypeFamily> expectedFamilies) {
        return false;
    }

    @Override
    public boolean userDefinedFunctionCoercion(
            SqlValidatorScope scope, SqlCall call, SqlFunction function) {
        return false;
    }

    @Override
    public @Nullable RelDataType getWiderTypeFor(List<RelDataType> types, boolean stringPromotion) {
        return null;
    }
}
