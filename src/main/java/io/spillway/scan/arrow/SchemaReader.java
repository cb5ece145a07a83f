package io.spillway.scan.arrow;

import io.spillway.error.ErrorCode;
import io.spillway.scan.FileMetadata;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.arrow.flatbuf.DictionaryEncoding;
import org.apache.arrow.flatbuf.Endianness;
import org.apache.arrow.flatbuf.Field;
import org.apache.arrow.flatbuf.Schema;
import org.apache.arrow.flatbuf.Type;
import org.jspecify.annotations.Nullable;

/**
 * Makes fields of a schema's metadata. Offsets in it may point anywhere, in circles too, so depth
 * is limited, and so is what is read by how much there is.
 */
final class SchemaReader {

    /** Types that are nested deeper are not read; the text form of types has the same limit. */
    static final int MAX_DEPTH = 64;

    /** Bytes of metadata that a field takes at least. */
    private static final int LEAST_FIELD = 8;

    private final Place place;
    private final Map<Long, ArrowField> dictionaries = new HashMap<>();

    /** Bytes of fields and names that may still come. */
    private long budget;

    private SchemaReader(Place place, long bytes) {
        this.place = place;
        // A name may stand in one place for several fields, but not for very many.
        this.budget = 4 * bytes + 1024;
    }

    /**
     * The fields of a schema.
     *
     * @param bytes of the metadata that the schema is in
     * @throws io.spillway.error.SpillwayException {@code FILE_CORRUPT}, {@code FILE_NOT_SUPPORTED}
     *     for another byte order, {@code SCHEMA_MISMATCH} if two columns have one name
     */
    static List<ArrowField> read(Schema schema, long bytes, Place place) {
        if (schema.endianness() != Endianness.Little) {
            throw place.notSupported("Big-endian data");
        }
        try {
            return new SchemaReader(place, bytes).fields(schema);
        } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
            // The latter for texts that are none, or longer than what is there.
            throw place.corrupt(e);
        }
    }

    private List<ArrowField> fields(Schema schema) {
        int count = count(schema.fieldsLength());
        List<ArrowField> fields = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (int i = 0; i < count; i++) {
            ArrowField field = field(schema.fields(i), 0);
            if (!names.add(field.name())) {
                throw place.inColumn(field.name())
                        .failure(ErrorCode.SCHEMA_MISMATCH, "Two columns have this name", null);
            }
            fields.add(field);
        }
        return fields;
    }

    /** What cannot be read, and why. */
    static List<FileMetadata.UnreadableColumn> unreadable(List<ArrowField> fields) {
        List<FileMetadata.UnreadableColumn> columns = new ArrayList<>();
        for (ArrowField field : fields) {
            if (field.unreadable() != null) {
                columns.add(new FileMetadata.UnreadableColumn(field.name(), field.unreadable()));
            }
        }
        return columns;
    }

    private int count(int declared) {
        if (declared < 0 || (long) declared * LEAST_FIELD > budget) {
            throw place.corrupt("The metadata is damaged: %,d fields".formatted(declared));
        }
        return declared;
    }

    private void spend(long bytes) {
        budget -= bytes;
        if (budget < 0) {
            throw place.corrupt("The metadata is damaged: there are more fields than fit");
        }
    }

    private ArrowField field(@Nullable Field field, int depth) {
        if (field == null) {
            throw place.corrupt("A field is missing from the schema");
        }
        if (depth > MAX_DEPTH) {
            throw place.notSupported("A type that is nested deeper than " + MAX_DEPTH + " levels");
        }
        String name = name(field);
        int children = count(field.childrenLength());
        List<ArrowField> fields = new ArrayList<>();
        for (int i = 0; i < children; i++) {
            fields.add(field(field.children(i), depth + 1));
        }
        Place at = depth == 0 ? place.inColumn(name) : place;
        ArrowField values = FieldTypes.of(name, field, fields, at);
        DictionaryEncoding dictionary = field.dictionary();
        return dictionary == null ? values : encoded(values, dictionary, at);
    }

    private String name(Field field) {
        var bytes = field.nameAsByteBuffer();
        spend(LEAST_FIELD + (bytes == null ? 0 : (long) bytes.remaining()));
        String name = field.name();
        return name == null ? "" : name;
    }

    private ArrowField encoded(ArrowField values, DictionaryEncoding dictionary, Place at) {
        var index = dictionary.indexType();
        int bits = index == null ? Integer.SIZE : index.bitWidth();
        if (bits != 8 && bits != 16 && bits != 32 && bits != 64) {
            throw at.corrupt("Dictionary indices have %,d bits".formatted(bits));
        }
        long id = dictionary.id();
        ArrowField before = dictionaries.putIfAbsent(id, values);
        if (before != null && !sameValues(before, values)) {
            throw at.corrupt("Dictionary %d has two types".formatted(id));
        }
        return new ArrowField(
                values.name(),
                values.nullable(),
                Layout.fixed(bits / Byte.SIZE),
                values.type(),
                values.unreadable(),
                List.of(),
                new ArrowField.DictionaryRef(
                        id, index == null || index.isSigned(), entries(values)));
    }

    /** Entries may be null whatever the field says of its own values. */
    private static ArrowField entries(ArrowField values) {
        return new ArrowField(
                values.name(),
                true,
                values.layout(),
                values.type(),
                values.unreadable(),
                values.children(),
                null);
    }

    private static boolean sameValues(ArrowField one, ArrowField other) {
        if (!one.layout().equals(other.layout())
                || one.children().size() != other.children().size()
                || (one.type() == null) != (other.type() == null)
                || (one.type() != null && !one.type().equals(other.type()))) {
            return false;
        }
        for (int i = 0; i < one.children().size(); i++) {
            if (!sameValues(one.children().get(i), other.children().get(i))) {
                return false;
            }
        }
        return true;
    }

    /** The name of a type, for messages. */
    static String typeName(int type) {
        return type >= 0 && type < Type.names.length ? Type.name(type) : "type " + type;
    }
}
