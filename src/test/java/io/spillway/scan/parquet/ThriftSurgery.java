package io.spillway.scan.parquet;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import shaded.parquet.org.apache.thrift.TBase;
import shaded.parquet.org.apache.thrift.TFieldIdEnum;
import shaded.parquet.org.apache.thrift.meta_data.FieldMetaData;

/** Changes one field, at any depth, of a Thrift struct: a file that is well-formed and wrong. */
final class ThriftSurgery {

    private static final long[] ODD = {
        0,
        1,
        -1,
        2,
        7,
        31,
        33,
        127,
        128,
        255,
        1000,
        65_535,
        1 << 20,
        1 << 30,
        Integer.MAX_VALUE,
        Integer.MIN_VALUE,
        1L << 32,
        1L << 40,
        Long.MAX_VALUE,
        Long.MIN_VALUE
    };

    /** Thrift's numbers for types of fields. */
    private static final byte BOOL = 2;

    private static final byte BYTE = 3;
    private static final byte I16 = 6;
    private static final byte I32 = 8;
    private static final byte I64 = 10;
    private static final byte STRUCT = 12;

    /** A place where something can be changed. */
    private interface Site {

        /** Changes it and says how. */
        String change();
    }

    private final Random random;
    private final List<Site> sites = new ArrayList<>();

    private ThriftSurgery(Random random) {
        this.random = random;
    }

    /** Changes a field and says which, and how. */
    static String operate(TBase<?, ?> struct, Random random) {
        ThriftSurgery surgery = new ThriftSurgery(random);
        surgery.visit(struct);
        return surgery.sites.get(random.nextInt(surgery.sites.size())).change();
    }

    /** A number that programs trip over, or one near the old one. */
    static long odd(long old, Random random) {
        return switch (random.nextInt(4)) {
            case 0 -> old + random.nextInt(-3, 4);
            case 1 -> old * 2;
            case 2 -> random.nextInt(200);
            default -> ODD[random.nextInt(ODD.length)];
        };
    }

    private <F extends TFieldIdEnum> void visit(TBase<?, F> struct) {
        for (Map.Entry<F, FieldMetaData> field : fields(struct).entrySet()) {
            F id = field.getKey();
            byte type = field.getValue().valueMetaData.type;
            Object value = struct.isSet(id) ? struct.getFieldValue(id) : null;
            sites.add(() -> change(struct, id, value, type));
            if (value instanceof TBase<?, ?> inner) {
                visit(inner);
            } else if (value instanceof List<?> list) {
                for (Object element : list) {
                    if (element instanceof TBase<?, ?> inner) {
                        visit(inner);
                    }
                }
            }
        }
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // Thrift's own map of a struct's fields
    private static <F extends TFieldIdEnum> Map<F, FieldMetaData> fields(TBase<?, F> struct) {
        return (Map<F, FieldMetaData>)
                FieldMetaData.getStructMetaDataMap((Class) struct.getClass());
    }

    private <F extends TFieldIdEnum> String change(
            TBase<?, F> struct, F id, @Nullable Object value, byte type) {
        Object changed = random.nextInt(8) == 0 && value != null ? null : other(value, type);
        struct.setFieldValue(id, changed);
        return struct.getClass().getSimpleName() + "." + id.getFieldName() + " = " + changed;
    }

    private @Nullable Object other(@Nullable Object value, byte type) {
        return switch (value) {
            case Long v -> odd(v, random);
            case Integer v -> (int) odd(v, random);
            case Short v -> (short) odd(v, random);
            case Byte v -> (byte) odd(v, random);
            case Boolean v -> !v;
            case Double v -> v + 1;
            case String v -> random.nextBoolean() ? "" : v + "\u0000x";
            case byte[] v -> bytes(v.length);
            case ByteBuffer v -> bytes(v.remaining());
            case Enum<?> v -> constant(v);
            case List<?> v -> list(v);
            case null -> fresh(type);
            default -> null;
        };
    }

    private @Nullable Object fresh(byte type) {
        return switch (type) {
            case I64 -> odd(0, random);
            case I32 -> (int) odd(0, random);
            case I16 -> (short) odd(0, random);
            case BYTE -> (byte) odd(0, random);
            case BOOL -> random.nextBoolean();
            default -> null;
        };
    }

    private byte[] bytes(int about) {
        byte[] bytes = new byte[Math.max(0, about + random.nextInt(-2, 3))];
        random.nextBytes(bytes);
        return bytes;
    }

    private Object constant(Enum<?> old) {
        Object[] all = old.getDeclaringClass().getEnumConstants();
        return all[random.nextInt(all.length)];
    }

    private List<?> list(List<?> old) {
        List<@Nullable Object> list = new ArrayList<>(old);
        if (!list.isEmpty()) {
            int at = random.nextInt(list.size());
            switch (random.nextInt(4)) {
                case 0 -> list.remove(at);
                case 1 -> list.add(list.get(at));
                case 2 -> list.add(list.remove(at));
                default -> list.set(at, other(list.get(at), STRUCT));
            }
        }
        list.removeIf(e -> e == null);
        return list;
    }
}
