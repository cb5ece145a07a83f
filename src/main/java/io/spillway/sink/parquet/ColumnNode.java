package io.spillway.sink.parquet;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.parquet.column.ColumnWriter;

/**
 * A node of a column's type, and how rows are written there: a vector's rows become {@link Levels}
 * on the way down, and values at the leaves.
 */
sealed interface ColumnNode {

    /** Levels of the rows at this node, to be filled by the node above. */
    Levels levels();

    /**
     * Writes the rows that {@link #levels} has.
     *
     * @param vector whose values they are
     */
    void write(FieldVector vector);

    /** The position, where it stands, of the first text of a vector that is not UTF-8, or -1. */
    int firstInvalid(FieldVector vector);

    /**
     * The nodes of a column.
     *
     * @param repetitionLevel of the lists that it stands in
     * @param writers of the leaves, in the order of the schema
     */
    static ColumnNode of(
            ColumnType type,
            boolean nullable,
            int repetitionLevel,
            Supplier<ColumnWriter> writers) {
        return switch (type) {
            case ColumnType.Struct(List<ColumnSchema> fields) -> {
                List<ColumnNode> nodes = new ArrayList<>(fields.size());
                for (ColumnSchema field : fields) {
                    nodes.add(of(field.type(), field.nullable(), repetitionLevel, writers));
                }
                yield new Struct(nullable, new Levels(), nodes);
            }
            case ColumnType.ListOf(ColumnType element, boolean nulls) ->
                    new Lists(
                            nullable,
                            repetitionLevel + 1,
                            new Levels(),
                            of(element, nulls, repetitionLevel + 1, writers));
            case ColumnType.MapOf(ColumnType key, ColumnType value, boolean nulls) ->
                    new Lists(
                            nullable,
                            repetitionLevel + 1,
                            new Levels(),
                            new Struct(
                                    false,
                                    new Levels(),
                                    List.of(
                                            of(key, false, repetitionLevel + 1, writers),
                                            of(value, nulls, repetitionLevel + 1, writers))));
            case ColumnType _ ->
                    new Leaf(nullable, new Levels(), new LeafValues(type), writers.get());
        };
    }

    /** Values that consist of one of each field. */
    record Struct(boolean nullable, Levels levels, List<ColumnNode> fields) implements ColumnNode {

        @Override
        public int firstInvalid(FieldVector vector) {
            List<FieldVector> children = vector.getChildrenFromFields();
            int invalid = -1;
            for (int i = 0; i < fields.size() && invalid < 0; i++) {
                invalid = fields.get(i).firstInvalid(children.get(i));
            }
            return invalid;
        }

        @Override
        public void write(FieldVector vector) {
            if (nullable) {
                levels.endNulls(vector);
            }
            List<FieldVector> children = vector.getChildrenFromFields();
            for (int i = 0; i < fields.size(); i++) {
                ColumnNode field = fields.get(i);
                levels.copyTo(field.levels());
                field.write(children.get(i));
            }
        }
    }

    /** Values that consist of any number of others; maps are lists of entries. */
    record Lists(boolean nullable, int repetitionLevel, Levels levels, ColumnNode element)
            implements ColumnNode {

        @Override
        public int firstInvalid(FieldVector vector) {
            return element.firstInvalid(((ListVector) vector).getDataVector());
        }

        @Override
        public void write(FieldVector vector) {
            if (nullable) {
                levels.endNulls(vector);
            }
            ListVector lists = (ListVector) vector;
            levels.elements(lists, repetitionLevel, element.levels());
            element.write(lists.getDataVector());
        }
    }

    /** Values that are written. */
    record Leaf(boolean nullable, Levels levels, LeafValues values, ColumnWriter writer)
            implements ColumnNode {

        @Override
        public int firstInvalid(FieldVector vector) {
            return values.firstInvalid(vector);
        }

        @Override
        public void write(FieldVector vector) {
            if (nullable) {
                levels.endNulls(vector);
            }
            values.write(vector, levels, writer);
        }

        /** As {@link #write}, for a column whose values stand in a dictionary. */
        void writeDictionary(IntVector indices, FieldVector dictionary) {
            if (nullable) {
                levels.endNulls(indices);
            }
            levels.lookUp(indices.getDataBuffer().memoryAddress());
            values.writeDictionary(dictionary, levels, writer);
        }
    }
}
