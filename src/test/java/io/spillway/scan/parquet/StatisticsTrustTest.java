package io.spillway.scan.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import io.spillway.expression.Expression;
import io.spillway.expression.Expression.Call;
import io.spillway.expression.Expression.Column;
import io.spillway.expression.Expression.Literal;
import io.spillway.expression.Function;
import io.spillway.scan.parquet.footer.ChunkStatistics;
import io.spillway.scan.parquet.footer.ColumnNode;
import io.spillway.scan.parquet.footer.Footer;
import io.spillway.scan.parquet.footer.IndexPlaces;
import io.spillway.scan.parquet.footer.LeafValues;
import io.spillway.scan.parquet.footer.ValueOrder;
import io.spillway.scan.pruning.PruningPredicate;
import io.spillway.scan.pruning.ValueSet;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.apache.parquet.format.ColumnOrder;
import org.apache.parquet.format.CompressionCodec;
import org.apache.parquet.format.ConvertedType;
import org.apache.parquet.format.DecimalType;
import org.apache.parquet.format.Float16Type;
import org.apache.parquet.format.IEEE754TotalOrder;
import org.apache.parquet.format.IntType;
import org.apache.parquet.format.LogicalType;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.Statistics;
import org.apache.parquet.format.StringType;
import org.apache.parquet.format.Type;
import org.apache.parquet.format.TypeDefinedOrder;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Which statistics rule rows out, and which are not believed. */
class StatisticsTrustTest {

    private static final long VALUES = 100;
    private static final ColumnOrder TYPE_ORDER = ColumnOrder.TYPE_ORDER(new TypeDefinedOrder());
    private static final String PARQUET_MR = "parquet-mr version 1.13.0 (build x)";

    private static final SchemaElement INT32 = leaf(Type.INT32);
    private static final ColumnNode.Leaf INT =
            node(new ColumnType.Int(32, true), PrimitiveTypeName.INT32, 0);
    private static final SchemaElement TEXT =
            leaf(Type.BYTE_ARRAY).setLogicalType(LogicalType.STRING(new StringType()));
    private static final ColumnNode.Leaf UTF8 =
            node(new ColumnType.Utf8(), PrimitiveTypeName.BINARY, 0);
    private static final ColumnNode.Leaf DOUBLE =
            node(new ColumnType.FloatingPoint(64), PrimitiveTypeName.DOUBLE, 0);

    private static SchemaElement leaf(Type type) {
        return new SchemaElement("c").setType(type);
    }

    private static ColumnNode.Leaf node(ColumnType type, PrimitiveTypeName physical, int length) {
        return new ColumnNode.Leaf(new ColumnSchema("c", type, true), 1, 0, physical, length, 0);
    }

    private static byte[] int32(int value) {
        return ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(value).array();
    }

    private static byte[] float64(double value) {
        return ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putDouble(value).array();
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static Statistics bounds(byte[] min, byte[] max) {
        return new Statistics().setMin_value(min).setMax_value(max).setNull_count(0);
    }

    private static Statistics deprecated(byte[] min, byte[] max) {
        return new Statistics().setMin(min).setMax(max).setNull_count(0);
    }

    private static ValueSet facts(
            Statistics s,
            SchemaElement element,
            ColumnNode.Leaf leaf,
            @Nullable ColumnOrder order) {
        ChunkStatistics statistics = ChunkStatistics.of(s, element, order, PARQUET_MR, VALUES);
        Footer.Chunk chunk =
                new Footer.Chunk(
                        4,
                        1,
                        1,
                        VALUES,
                        CompressionCodec.UNCOMPRESSED,
                        Set.of(),
                        1,
                        false,
                        0,
                        statistics,
                        IndexPlaces.NONE);
        return new LeafValues(leaf).in(chunk);
    }

    private static boolean may(ValueSet set, ColumnNode.Leaf leaf, Function function, String v) {
        ColumnType type = leaf.field().type();
        Expression condition =
                new Call(
                        function,
                        List.of(new Column(0, type), new Literal(type, v)),
                        new ColumnType.Bool());
        return PruningPredicate.of(condition).canMatch(_ -> set);
    }

    private static boolean mayBeNull(ValueSet set, ColumnNode.Leaf leaf) {
        Expression condition =
                new Call(
                        Function.IS_NULL,
                        List.of(new Column(0, leaf.field().type())),
                        new ColumnType.Bool());
        return PruningPredicate.of(condition).canMatch(_ -> set);
    }

    private static boolean knowsBounds(ValueSet set, ColumnNode.Leaf leaf) {
        return !may(set, leaf, Function.EQUAL, "1234567");
    }

    @Test
    void boundsNeedAnOrder() {
        Statistics s = bounds(int32(1), int32(9));
        assertThat(knowsBounds(facts(s, INT32, INT, TYPE_ORDER), INT)).isTrue();
        assertThat(knowsBounds(facts(s, INT32, INT, null), INT)).isFalse();
        assertThat(knowsBounds(facts(s, INT32, INT, new ColumnOrder()), INT)).isFalse();
    }

    @Test
    void deprecatedBoundsAreThoseOfSignedNumbers() {
        assertThat(knowsBounds(facts(deprecated(int32(1), int32(9)), INT32, INT, null), INT))
                .isTrue();
        SchemaElement unsigned =
                leaf(Type.INT32).setLogicalType(LogicalType.INTEGER(new IntType((byte) 32, false)));
        ColumnNode.Leaf uint = node(new ColumnType.Int(32, false), PrimitiveTypeName.INT32, 0);
        assertThat(knowsBounds(facts(deprecated(int32(1), int32(9)), unsigned, uint, null), uint))
                .isFalse();
        assertThat(knowsBounds(facts(deprecated(text("a"), text("b")), TEXT, UTF8, null), UTF8))
                .isFalse();
        // In whatever order, what is both the least and the greatest is the only one.
        assertThat(knowsBounds(facts(deprecated(text("a"), text("a")), TEXT, UTF8, null), UTF8))
                .isTrue();
    }

    @Test
    void writersThatMixedUpBytesAreNotBelieved() {
        Statistics s = deprecated(text("a"), text("a"));
        ChunkStatistics old = ChunkStatistics.of(s, TEXT, null, "parquet-mr version 1.6.0", VALUES);
        assertThat(old.min()).isNull();
        assertThat(ChunkStatistics.of(s, TEXT, null, null, VALUES).min()).isNull();
    }

    @Test
    void anOrderThatIsNotThatOfTheColumnSaysNothing() {
        // Declared unsigned, but read as signed since the annotation does not fit.
        SchemaElement misfit =
                leaf(Type.INT32).setLogicalType(LogicalType.INTEGER(new IntType((byte) 64, false)));
        assertThat(knowsBounds(facts(bounds(int32(1), int32(9)), misfit, INT, TYPE_ORDER), INT))
                .isFalse();
        SchemaElement unknown = leaf(Type.BYTE_ARRAY).setLogicalType(new LogicalType());
        ColumnNode.Leaf binary = node(new ColumnType.Binary(), PrimitiveTypeName.BINARY, 0);
        ValueSet set = facts(bounds(text("a"), text("b")), unknown, binary, TYPE_ORDER);
        assertThat(may(set, binary, Function.EQUAL, "ff")).isTrue();
        SchemaElement interval =
                leaf(Type.FIXED_LEN_BYTE_ARRAY)
                        .setType_length(12)
                        .setConverted_type(ConvertedType.INTERVAL);
        assertThat(ValueOrder.declared(interval)).isEqualTo(ValueOrder.UNDEFINED);
        assertThat(ValueOrder.declared(leaf(Type.INT96))).isEqualTo(ValueOrder.UNDEFINED);
    }

    @Test
    void boundsOfTheWrongLengthOrOrderSayNothing() {
        assertThat(
                        knowsBounds(
                                facts(bounds(new byte[3], new byte[3]), INT32, INT, TYPE_ORDER),
                                INT))
                .isFalse();
        assertThat(knowsBounds(facts(bounds(int32(9), int32(1)), INT32, INT, TYPE_ORDER), INT))
                .isFalse();
        assertThat(
                        knowsBounds(
                                facts(bounds(new byte[0], new byte[0]), INT32, INT, TYPE_ORDER),
                                INT))
                .isFalse();
    }

    @Test
    void narrowIntegersOutsideTheirTypeSayNothing() {
        SchemaElement element =
                leaf(Type.INT32).setLogicalType(LogicalType.INTEGER(new IntType((byte) 8, true)));
        ColumnNode.Leaf narrow = node(new ColumnType.Int(8, true), PrimitiveTypeName.INT32, 0);
        ValueSet wild = facts(bounds(int32(5), int32(300)), element, narrow, TYPE_ORDER);
        assertThat(may(wild, narrow, Function.EQUAL, "1")).isTrue();
        ValueSet tame = facts(bounds(int32(5), int32(9)), element, narrow, TYPE_ORDER);
        assertThat(may(tame, narrow, Function.EQUAL, "1")).isFalse();
    }

    @Test
    void aMissingCountOfNullsIsNotNone() {
        Statistics none = bounds(int32(1), int32(9));
        assertThat(mayBeNull(facts(none, INT32, INT, TYPE_ORDER), INT)).isFalse();
        Statistics missing = new Statistics().setMin_value(int32(1)).setMax_value(int32(9));
        assertThat(mayBeNull(facts(missing, INT32, INT, TYPE_ORDER), INT)).isTrue();
        Statistics impossible = bounds(int32(1), int32(9)).setNull_count(VALUES + 1);
        assertThat(mayBeNull(facts(impossible, INT32, INT, TYPE_ORDER), INT)).isTrue();
    }

    @Test
    void nothingButNullsHasNoValue() {
        ValueSet nulls = facts(new Statistics().setNull_count(VALUES), INT32, INT, TYPE_ORDER);
        assertThat(may(nulls, INT, Function.GREATER, "0")).isFalse();
        // Bounds beside it contradict it.
        Statistics both = bounds(int32(1), int32(9)).setNull_count(VALUES);
        assertThat(may(facts(both, INT32, INT, TYPE_ORDER), INT, Function.EQUAL, "5")).isTrue();
    }

    @Test
    void distinctCountsAreNotLookedAt() {
        Statistics s = bounds(int32(1), int32(9)).setDistinct_count(1);
        assertThat(may(facts(s, INT32, INT, TYPE_ORDER), INT, Function.NOT_EQUAL, "1")).isTrue();
    }

    @Test
    void floatsHaveNaNBesideTheirBoundsUnlessCountedAsNone() {
        SchemaElement element = leaf(Type.DOUBLE);
        Statistics s = bounds(float64(1), float64(2));
        assertThat(may(facts(s, element, DOUBLE, TYPE_ORDER), DOUBLE, Function.GREATER, "2"))
                .isTrue();
        assertThat(may(facts(s, element, DOUBLE, TYPE_ORDER), DOUBLE, Function.LESS, "1"))
                .isFalse();
        ColumnOrder total = ColumnOrder.IEEE_754_TOTAL_ORDER(new IEEE754TotalOrder());
        Statistics counted = bounds(float64(1), float64(2)).setNan_count(0);
        assertThat(may(facts(counted, element, DOUBLE, total), DOUBLE, Function.GREATER, "2"))
                .isFalse();
        Statistics nan = bounds(float64(1), float64(Double.NaN));
        assertThat(may(facts(nan, element, DOUBLE, TYPE_ORDER), DOUBLE, Function.LESS, "1"))
                .isTrue();
        Statistics zero = bounds(float64(0.0), float64(0.0));
        assertThat(may(facts(zero, element, DOUBLE, TYPE_ORDER), DOUBLE, Function.EQUAL, "-0.0"))
                .isTrue();
    }

    @Test
    void halfFloatsAndDecimalsCompareAsNumbers() {
        SchemaElement half =
                leaf(Type.FIXED_LEN_BYTE_ARRAY)
                        .setType_length(2)
                        .setLogicalType(LogicalType.FLOAT16(new Float16Type()));
        ColumnNode.Leaf float16 =
                node(new ColumnType.FloatingPoint(16), PrimitiveTypeName.FIXED_LEN_BYTE_ARRAY, 2);
        // -2.0 to 1.0, little-endian: the bytes alone would order the other way round.
        Statistics s = bounds(new byte[] {0, (byte) 0xC0}, new byte[] {0, 0x3C});
        ValueSet set = facts(s, half, float16, TYPE_ORDER);
        assertThat(may(set, float16, Function.EQUAL, "0.5")).isTrue();
        assertThat(may(set, float16, Function.LESS, "-2.0")).isFalse();

        SchemaElement decimal =
                leaf(Type.BYTE_ARRAY).setLogicalType(LogicalType.DECIMAL(new DecimalType(2, 9)));
        ColumnNode.Leaf number = node(new ColumnType.Decimal(9, 2), PrimitiveTypeName.BINARY, 0);
        ValueSet numbers =
                facts(bounds(new byte[] {-1}, new byte[] {1, 0}), decimal, number, TYPE_ORDER);
        assertThat(may(numbers, number, Function.EQUAL, "0.05")).isTrue();
        assertThat(may(numbers, number, Function.EQUAL, "2.57")).isFalse();
        assertThat(may(numbers, number, Function.LESS, "-0.01")).isFalse();
        assertThat(
                        facts(deprecated(new byte[] {-1}, new byte[] {1}), decimal, number, null)
                                .equals(ValueSet.between(null, null, false)))
                .isTrue();
    }

    @Test
    void longBoundsAreCutAndStayBounds() {
        String prefix = "x".repeat(100);
        ValueSet set =
                facts(bounds(text(prefix + "a"), text(prefix + "c")), TEXT, UTF8, TYPE_ORDER);
        assertThat(may(set, UTF8, Function.EQUAL, prefix + "b")).isTrue();
        assertThat(may(set, UTF8, Function.LESS, "x")).isFalse();
        assertThat(may(set, UTF8, Function.GREATER, "y")).isFalse();
        byte[] greatest = new byte[100];
        Arrays.fill(greatest, (byte) -1);
        ColumnNode.Leaf binary = node(new ColumnType.Binary(), PrimitiveTypeName.BINARY, 0);
        ValueSet open =
                facts(bounds(new byte[] {1}, greatest), leaf(Type.BYTE_ARRAY), binary, TYPE_ORDER);
        assertThat(may(open, binary, Function.GREATER, "ff".repeat(70))).isTrue();
    }

    @Test
    void indexesOutsideTheFileAreNotThere() {
        var chunk =
                new org.apache.parquet.format.ColumnChunk()
                        .setColumn_index_offset(90)
                        .setColumn_index_length(20)
                        .setOffset_index_offset(50)
                        .setOffset_index_length(20);
        var meta = new org.apache.parquet.format.ColumnMetaData().setBloom_filter_offset(-5);
        IndexPlaces places = IndexPlaces.of(chunk, meta, true, 100);
        assertThat(places.columnIndexBytes()).isZero();
        assertThat(places.offsetIndexBytes()).isEqualTo(20);
        assertThat(places.bloomFilter()).isZero();
    }
}
