package io.spillway.expression;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import io.spillway.batch.ColumnVector;
import io.spillway.batch.OffHeap;
import io.spillway.error.SpillwayException;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;
import org.jspecify.annotations.Nullable;

/**
 * How the vectors of one type become those of another of the same shape: lists element by element,
 * structs field by field and by name, maps by keys and values. Validity and offsets are shared;
 * what lies under a null, or in no list, is never converted, since it may be anything.
 */
sealed interface NestedConversion {

    /** Whether no value can fail. */
    boolean total();

    /**
     * Converts values {@code [from, from + count)} into an empty vector.
     *
     * @param input for its allocator and scratch memory
     */
    void convert(FieldVector source, int from, int count, FieldVector target, Input input);

    /**
     * The conversion between two types.
     *
     * @param safe whether a value that cannot be converted becomes null
     * @throws SpillwayException {@code TYPE_MISMATCH} if there is none
     */
    static NestedConversion of(ColumnType from, ColumnType to, boolean safe) {
        if (from.equals(to)) {
            return new Same();
        }
        if (from instanceof ColumnType.ListOf(ColumnType element, boolean nulls)
                && to instanceof ColumnType.ListOf(ColumnType newElement, boolean newNulls)) {
            NestedConversion elements = of(element, newElement, safe);
            checkNulls(from, to, nulls || (safe && !elements.total()), newNulls);
            return new Lists(elements);
        }
        if (from instanceof ColumnType.Struct(List<ColumnSchema> fields)
                && to instanceof ColumnType.Struct(List<ColumnSchema> newFields)) {
            return structs(from, fields, to, newFields, safe);
        }
        if (from instanceof ColumnType.MapOf(ColumnType key, ColumnType value, boolean nulls)
                && to
                        instanceof
                        ColumnType.MapOf(
                                ColumnType newKey,
                                ColumnType newValue,
                                boolean newNulls)) {
            NestedConversion keys = of(key, newKey, safe);
            NestedConversion values = of(value, newValue, safe);
            checkNulls(from, to, safe && !keys.total(), false);
            checkNulls(from, to, nulls || (safe && !values.total()), newNulls);
            return new Lists(new Structs(List.of(new Field(0, keys), new Field(1, values))));
        }
        if (from.isNested() || to.isNested()) {
            throw CastKernels.unsupported(from, to);
        }
        return new Flat(CastKernels.of(new ColumnValue(0, from), to, safe));
    }

    private static NestedConversion structs(
            ColumnType from,
            List<ColumnSchema> fields,
            ColumnType to,
            List<ColumnSchema> newFields,
            boolean safe) {
        List<String> names = fields.stream().map(ColumnSchema::name).toList();
        return new Structs(
                newFields.stream()
                        .map(
                                field -> {
                                    int index = names.indexOf(field.name());
                                    if (index < 0) {
                                        checkNulls(from, to, true, field.nullable());
                                        return new Field(index, null);
                                    }
                                    ColumnSchema old = fields.get(index);
                                    NestedConversion values = of(old.type(), field.type(), safe);
                                    checkNulls(
                                            from,
                                            to,
                                            old.nullable() || (safe && !values.total()),
                                            field.nullable());
                                    return new Field(index, values);
                                })
                        .toList());
    }

    private static void checkNulls(ColumnType from, ColumnType to, boolean given, boolean taken) {
        if (given && !taken) {
            throw CastKernels.unsupported(from, to);
        }
    }

    /** The type stays. */
    record Same() implements NestedConversion {

        @Override
        public boolean total() {
            return true;
        }

        @Override
        public void convert(
                FieldVector source, int from, int count, FieldVector target, Input input) {
            try (FieldVector part = slice(source, from, count)) {
                part.makeTransferPair(target).transfer();
            }
        }
    }

    /**
     * Values that consist of no others.
     *
     * @param kernel over column 0
     */
    record Flat(Value kernel) implements NestedConversion {

        @Override
        public boolean total() {
            return kernel.total();
        }

        @Override
        public void convert(
                FieldVector source, int from, int count, FieldVector target, Input input) {
            try (FieldVector part = slice(source, from, count);
                    Input values = Input.of(part, input.allocator(), input.scratch());
                    Operand result = kernel.plain(values)) {
                result.vector().makeTransferPair(target).transfer();
            }
        }
    }

    /** Lists, and maps as lists of their entries. */
    record Lists(NestedConversion elements) implements NestedConversion {

        @Override
        public boolean total() {
            return elements.total();
        }

        @Override
        public void convert(
                FieldVector source, int from, int count, FieldVector target, Input input) {
            if (count == 0) {
                target.setValueCount(0);
                return;
            }
            try (FieldVector lists = exposed(source, from, count, input)) {
                share(lists, target, List.of(lists.getValidityBuffer(), lists.getOffsetBuffer()));
                int end = OffHeap.getInt(Vectors.offsets(lists) + (long) Integer.BYTES * count);
                elements.convert(
                        ((ListVector) lists).getDataVector(),
                        0,
                        end,
                        ((ListVector) target).getDataVector(),
                        input);
            }
        }

        /** The lists, without elements that are in none. */
        private FieldVector exposed(FieldVector source, int from, int count, Input input) {
            FieldVector lists = slice(source, from, count);
            if (elements.total() || !hides(lists, count)) {
                return lists;
            }
            try (lists) {
                return withoutHidden(lists, count, input);
            }
        }

        private static boolean hides(FieldVector lists, int count) {
            long validity = Vectors.validity(lists);
            long offsets = Vectors.offsets(lists);
            for (int i = 0; i < count; i++) {
                long at = offsets + (long) Integer.BYTES * i;
                if (!Bits.get(validity, i)
                        && OffHeap.getInt(at) != OffHeap.getInt(at + Integer.BYTES)) {
                    return true;
                }
            }
            return false;
        }
    }

    /**
     * Structs.
     *
     * @param fields of the target, in its order
     */
    record Structs(List<Field> fields) implements NestedConversion {

        @Override
        public boolean total() {
            return fields.stream().allMatch(f -> f.values == null || f.values.total());
        }

        @Override
        public void convert(
                FieldVector source, int from, int count, FieldVector target, Input input) {
            try (FieldVector structs = exposed(source, from, count, input)) {
                share(structs, target, List.of(structs.getValidityBuffer()));
                List<FieldVector> children = structs.getChildrenFromFields();
                List<FieldVector> targets = target.getChildrenFromFields();
                for (int i = 0; i < fields.size(); i++) {
                    Field field = fields.get(i);
                    FieldVector child = targets.get(i);
                    if (field.values != null) {
                        field.values.convert(children.get(field.index), 0, count, child, input);
                        continue;
                    }
                    try (FieldVector nulls =
                            Vectors.nulls(child.getField(), count, input.allocator())) {
                        nulls.makeTransferPair(child).transfer();
                    }
                }
            }
        }

        /** The structs, with nulls in all fields of a null. */
        private FieldVector exposed(FieldVector source, int from, int count, Input input) {
            FieldVector structs = slice(source, from, count);
            if (total() || structs.getNullCount() == 0) {
                return structs;
            }
            try (structs) {
                return withoutHidden(structs, count, input);
            }
        }
    }

    /**
     * Where a field of a struct comes from.
     *
     * @param index of the source's field; negative if it has none, and all values are null
     */
    record Field(int index, @Nullable NestedConversion values) {}

    private static FieldVector slice(FieldVector source, int from, int count) {
        return switch (new ColumnVector.Plain(source).slice(from, count)) {
            case ColumnVector.Plain(FieldVector part) -> part;
            case ColumnVector.Encoded _ -> throw new IllegalStateException("not plain");
        };
    }

    /** A copy in which nothing stands under a null. */
    private static FieldVector withoutHidden(FieldVector vector, int count, Input input) {
        long validity = Vectors.validity(vector);
        Runs runs = new Runs(16);
        for (int i = 0; i < count; i++) {
            runs.add(Bits.get(validity, i) ? 0 : Runs.NULLS, i, 1);
        }
        return RunCopy.copy(vector.getField(), new FieldVector[] {vector}, runs, input.allocator());
    }

    /** Gives a vector references to another's own buffers. */
    private static void share(FieldVector source, FieldVector target, List<ArrowBuf> buffers) {
        target.loadFieldBuffers(new ArrowFieldNode(source.getValueCount(), 0), buffers);
    }
}
