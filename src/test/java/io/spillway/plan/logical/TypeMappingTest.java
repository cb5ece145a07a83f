package io.spillway.plan.logical;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import io.spillway.batch.RowSchema;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.testing.NestedValues;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.apache.calcite.sql.type.SqlTypeName;
import org.junit.jupiter.api.Test;

class TypeMappingTest {

    @Provide
    Arbitrary<ColumnType> types() {
        return Arbitraries.oneOf(
                Arbitraries.of(
                                "bool",
                                "int8",
                                "int16",
                                "int32",
                                "int64",
                                "uint8",
                                "uint16",
                                "uint32",
                                "uint64",
                                "float16",
                                "float32",
                                "float64",
                                "utf8",
                                "binary",
                                "date",
                                "time(s)",
                                "time(ms)",
                                "time(us)",
                                "time(ns)",
                                "timestamp(s)",
                                "timestamp(ms)",
                                "timestamp(us)",
                                "timestamp(ns)",
                                "timestamp(s,UTC)",
                                "timestamp(ms,UTC)",
                                "timestamp(us,UTC)",
                                "timestamp(ns,UTC)")
                        .map(ColumnType::parse),
                Combinators.combine(
                                Arbitraries.integers().between(1, 38),
                                Arbitraries.integers().between(0, 38))
                        .as((p, s) -> new ColumnType.Decimal(p, Math.min(p, s))),
                Arbitraries.integers().between(1, 1_000).map(ColumnType.FixedBinary::new),
                Arbitraries.randomValue(
                        random ->
                                NestedValues.type(
                                        List.of(
                                                new ColumnType.Date(),
                                                new ColumnType.Int(8, false)),
                                        3,
                                        random)));
    }

    @Property
    void everyTypeComesBackAsItself(@ForAll("types") ColumnType type, @ForAll boolean nullable) {
        var rel = TypeMapping.toRel(type, nullable);
        assertThat(TypeMapping.toColumn(rel)).isEqualTo(type);
        assertThat(rel.isNullable()).isEqualTo(nullable);
        RowSchema schema = new RowSchema(List.of(new ColumnSchema("Ünï cödé", type, nullable)));
        assertThat(TypeMapping.toSchema(TypeMapping.toRel(schema))).isEqualTo(schema);
    }

    @Property
    void takingPartInAnExpressionLosesNothing(@ForAll("types") ColumnType type) {
        ColumnType wide = TypeMapping.inExpression(type);
        if (type instanceof ColumnType.Int(int bits, boolean signed) && !signed) {
            assertThat(wide)
                    .isEqualTo(
                            bits == 64
                                    ? new ColumnType.Decimal(20, 0)
                                    : new ColumnType.Int(2 * bits, true));
        } else if (type.equals(new ColumnType.FloatingPoint(16))) {
            assertThat(wide).isEqualTo(new ColumnType.FloatingPoint(32));
        } else {
            assertThat(wide).isEqualTo(type);
        }
        assertThat(TypeMapping.toRel(wide, false) instanceof StorageType)
                .isEqualTo(wide.isNested());
    }

    @Test
    void textIsNeverPaddedOrCut() {
        SpillwayTypeFactory factory = SpillwayTypeFactory.INSTANCE;
        assertThat(factory.createSqlType(SqlTypeName.CHAR, 3))
                .isEqualTo(factory.createSqlType(SqlTypeName.VARCHAR));
        assertThat(factory.createSqlType(SqlTypeName.VARCHAR, 3).getPrecision()).isEqualTo(-1);
    }

    @Test
    void aTypeThatNoColumnHasIsATypedError() {
        var interval = SpillwayTypeFactory.INSTANCE.createSqlType(SqlTypeName.GEOMETRY);
        assertThatThrownBy(() -> TypeMapping.toColumn(interval))
                .isInstanceOfSatisfying(
                        SpillwayException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_SUPPORTED));
    }
}
