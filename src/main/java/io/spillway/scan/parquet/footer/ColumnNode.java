package io.spillway.scan.parquet.footer;

import io.spillway.batch.ColumnSchema;
import java.util.List;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;

/**
 * How a column's values stand in its leaves: the tree of its type, each node with the levels that
 * tell where its values are.
 *
 * <p>A leaf's chunk holds <em>entries</em>: a repetition level, a definition level, and a value if
 * the definition level is the highest. Every node finds its own values in the entries of any leaf
 * below it. Below a repeated node of repetition level {@code r} whose elements are there from
 * definition level {@code e} on, an entry begins a <em>slot</em> of each node, which is one value
 * or null, if its repetition level is at most {@code r} and its definition level at least {@code
 * e}; outside of repeated nodes both are 0, and slots are rows. The value of a slot is not null if
 * the definition level is at least the node's {@link #presentAt}.
 *
 * <pre>
 * optional group tags (LIST) {      Repeated: presentAt 1, repetition 1, elementAt 2
 *   repeated group list {
 *     optional binary element;      Leaf:     presentAt 3
 *   }
 * }
 *
 * rows         repetition  definition
 * null         0           0
 * []           0           1
 * [null, "a"]  0 1         2 3
 * </pre>
 *
 * Immutable.
 *
 * @see <a href="https://github.com/apache/parquet-format/blob/master/README.md#nested-encoding">
 *     Parquet's nested encoding</a>
 */
public sealed interface ColumnNode {

    /** The node's name, type, and whether it may be null where its parent is not. */
    ColumnSchema field();

    /** The definition level from which on the node's value is not null. */
    int presentAt();

    /**
     * Values of a primitive type.
     *
     * @param presentAt also the highest definition level that the leaf's entries have
     * @param repetition the highest repetition level that the leaf's entries have
     * @param typeLength bytes of a value, for {@code FIXED_LEN_BYTE_ARRAY}
     * @param chunk the leaf's position among the chunks of each row group
     */
    record Leaf(
            ColumnSchema field,
            int presentAt,
            int repetition,
            PrimitiveTypeName physical,
            int typeLength,
            int chunk)
            implements ColumnNode {}

    /** Groups of fields, at least one. */
    record Struct(ColumnSchema field, int presentAt, List<ColumnNode> fields)
            implements ColumnNode {

        public Struct {
            fields = List.copyOf(fields);
        }
    }

    /**
     * Lists, and maps, which are lists of structs of a key and a value.
     *
     * @param repetition the repetition level of entries that continue one
     * @param elementAt the definition level from which on there is an element
     */
    record Repeated(
            ColumnSchema field, int presentAt, int repetition, int elementAt, ColumnNode element)
            implements ColumnNode {}

    /** All leaves, in order; at least one. */
    default List<Leaf> leaves() {
        return switch (this) {
            case Leaf leaf -> List.of(leaf);
            case Struct struct ->
                    struct.fields().stream().flatMap(f -> f.leaves().stream()).toList();
            case Repeated repeated -> repeated.element().leaves();
        };
    }
}
