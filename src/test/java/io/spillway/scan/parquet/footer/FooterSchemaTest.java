package io.spillway.scan.parquet.footer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.scan.parquet.bytes.Place;
import java.util.ArrayList;
import java.util.List;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.ColumnCryptoMetaData;
import org.apache.parquet.format.ConvertedType;
import org.apache.parquet.format.EncryptionWithFooterKey;
import org.apache.parquet.format.FieldRepetitionType;
import org.apache.parquet.format.IntType;
import org.apache.parquet.format.ListType;
import org.apache.parquet.format.LogicalType;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.Type;
import org.junit.jupiter.api.Test;

/** A column that cannot be understood hinders no other; a schema that is no tree is an error. */
class FooterSchemaTest {

    private static final Place PLACE = Place.of("file:///f");

    private static SchemaElement root(int columns) {
        return new SchemaElement("schema").setNum_children(columns);
    }

    private static SchemaElement group(String name, int children) {
        return new SchemaElement(name)
                .setNum_children(children)
                .setRepetition_type(FieldRepetitionType.OPTIONAL);
    }

    private static SchemaElement leaf(String name) {
        return leaf(name, Type.INT32);
    }

    private static SchemaElement leaf(String name, Type type) {
        return new SchemaElement(name)
                .setType(type)
                .setRepetition_type(FieldRepetitionType.OPTIONAL);
    }

    private static FooterSchema schema(SchemaElement... elements) {
        return FooterSchema.of(PLACE, List.of(elements), List.of());
    }

    private static String type(Footer.Column column) {
        return column.schema() == null
                ? String.valueOf(column.unreadable())
                : column.schema().type().toString();
    }

    @Test
    void columnsAndTheirLeaves() {
        FooterSchema schema =
                schema(
                        root(3),
                        leaf("a"),
                        group("b", 2),
                        leaf("x"),
                        group("y", 1),
                        leaf("z"),
                        leaf("c"));

        assertThat(schema.leaves()).isEqualTo(4);
        assertThat(schema.columns()).extracting(Footer.Column::name).containsExactly("a", "b", "c");
        assertThat(schema.columns())
                .extracting(FooterSchemaTest::type)
                .containsExactly("int32", "struct<x int32,y struct<z int32>>", "int32");
        assertThat(schema.columns().get(2).flat()).extracting("chunk").isEqualTo(3);
    }

    @Test
    void groupsWithoutFields() {
        FooterSchema schema =
                schema(root(3), group("a", 0), group("b", 2), leaf("x"), group("y", 0), leaf("c"));

        assertThat(schema.leaves()).isEqualTo(2);
        assertThat(schema.columns())
                .extracting(FooterSchemaTest::type)
                .containsExactly(
                        "its group 'a' has no fields", "its group 'b.y' has no fields", "int32");
        assertThat(schema.columns().get(2).flat()).extracting("chunk").isEqualTo(1);
    }

    @Test
    void columnsThatAreNestedTooDeep() {
        assertThat(deepStructs(64)).startsWith("struct<g struct<");
        assertThat(deepStructs(65)).isEqualTo("it is nested deeper than 64 levels");
        assertThat(deepStructs(100_000)).isEqualTo("it is nested deeper than 64 levels");
        assertThat(deepLists(64)).startsWith("list<list<");
        assertThat(deepLists(65)).isEqualTo("it is nested deeper than 64 levels");
    }

    private static String deepStructs(int depth) {
        List<SchemaElement> elements = new ArrayList<>(List.of(root(2)));
        for (int i = 0; i < depth; i++) {
            elements.add(group("g", 1));
        }
        elements.add(leaf("x"));
        return firstOfTwo(elements);
    }

    private static String deepLists(int depth) {
        List<SchemaElement> elements = new ArrayList<>(List.of(root(2)));
        for (int i = 0; i < depth; i++) {
            elements.add(group("g", 1).setLogicalType(LogicalType.LIST(new ListType())));
            elements.add(group("list", 1).setRepetition_type(FieldRepetitionType.REPEATED));
        }
        elements.add(leaf("x"));
        return firstOfTwo(elements);
    }

    private static String firstOfTwo(List<SchemaElement> elements) {
        elements.add(leaf("last"));
        FooterSchema schema = FooterSchema.of(PLACE, elements, List.of());
        assertThat(schema.columns().get(1).flat()).extracting("chunk").isEqualTo(1);
        return type(schema.columns().get(0));
    }

    @Test
    void fieldsOfOneName() {
        FooterSchema schema = schema(root(2), group("g", 2), leaf("x"), leaf("x"), leaf("a"));

        assertThat(schema.columns())
                .extracting(FooterSchemaTest::type)
                .containsExactly("two of its fields have the name 'g.x'", "int32");
    }

    @Test
    void logicalTypesThatDoNotFit() {
        SchemaElement text = leaf("text").setConverted_type(ConvertedType.UTF8);
        SchemaElement small =
                leaf("small", Type.INT32)
                        .setLogicalType(LogicalType.INTEGER(new IntType((byte) 8, true)));
        SchemaElement wide =
                leaf("wide", Type.INT32)
                        .setLogicalType(LogicalType.INTEGER(new IntType((byte) 64, true)));
        SchemaElement fixed = leaf("fixed", Type.FIXED_LEN_BYTE_ARRAY).setType_length(0);
        FooterSchema schema = schema(root(3), text, group("g", 2), small, wide, fixed);

        assertThat(schema.columns())
                .extracting(FooterSchemaTest::type)
                .containsExactly("int32", "struct<small int8,wide int32>", "its type is not valid");
    }

    @Test
    void leavesThatAreEncryptedOrElsewhere() {
        RowGroup group =
                new RowGroup(
                        List.of(
                                new ColumnChunk(0),
                                new ColumnChunk(0)
                                        .setCrypto_metadata(
                                                ColumnCryptoMetaData.ENCRYPTION_WITH_FOOTER_KEY(
                                                        new EncryptionWithFooterKey())),
                                new ColumnChunk(0).setFile_path("other.parquet")),
                        0,
                        0);
        List<SchemaElement> elements =
                List.of(root(2), group("g", 2), leaf("x"), leaf("y"), leaf("a"));
        FooterSchema schema = FooterSchema.of(PLACE, elements, List.of(group));

        assertThat(schema.columns())
                .extracting(FooterSchemaTest::type)
                .containsExactly(
                        "its leaf 'g.y' cannot be: it is encrypted, and there is no key for it",
                        "its data is in another file");
    }

    @Test
    void decimalsThatAreTooLong() {
        SchemaElement decimal =
                leaf("d", Type.BYTE_ARRAY)
                        .setConverted_type(ConvertedType.DECIMAL)
                        .setPrecision(39)
                        .setScale(2);

        assertThat(schema(root(1), group("g", 1), decimal).columns())
                .extracting(FooterSchemaTest::type)
                .containsExactly(
                        "its leaf 'g.d' cannot be: decimals of more than 38 digits are not"
                                + " supported");
    }

    @Test
    void schemasThatAreNoTree() {
        assertDamaged();
        assertDamaged(root(1));
        assertDamaged(root(2), leaf("a"));
        assertDamaged(root(1), leaf("a"), leaf("b"));
        assertDamaged(root(Integer.MAX_VALUE), leaf("a"));
        assertDamaged(root(1), group("g", Integer.MAX_VALUE), leaf("a"));
    }

    private static void assertDamaged(SchemaElement... elements) {
        assertThatExceptionOfType(SpillwayException.class)
                .isThrownBy(() -> schema(elements))
                .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.FILE_CORRUPT))
                .withMessageContaining("not a tree");
    }

    @Test
    void columnsOfOneName() {
        assertThatExceptionOfType(SpillwayException.class)
                .isThrownBy(() -> schema(root(2), leaf("a"), leaf("a")))
                .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.SCHEMA_MISMATCH));
    }
}
