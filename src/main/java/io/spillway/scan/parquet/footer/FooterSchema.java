package io.spillway.scan.parquet.footer;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.scan.parquet.bytes.Place;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.converter.ParquetMetadataConverter;
import org.apache.parquet.schema.Type;
import org.jspecify.annotations.Nullable;

/**
 * The columns of a footer. Its schema is a list of elements, each group followed by its children:
 * they are counted and measured here, one after the other, before parquet-java makes a type of
 * them, one column at a time, so that a column that cannot be understood hinders no other.
 */
final class FooterSchema {

    /** A list or map takes two groups. */
    private static final int MAX_GROUPS = 2 * NestedTypes.MAX_DEPTH + 1;

    private static final ParquetMetadataConverter CONVERTER = new ParquetMetadataConverter();

    private final Place place;
    private final List<SchemaElement> elements;
    private final List<RowGroup> groups;
    private final List<Footer.Column> columns = new ArrayList<>();

    /** The next element, and the leaves before it. */
    private int at = 1;

    private int leaves;

    private FooterSchema(Place place, List<SchemaElement> elements, List<RowGroup> groups) {
        this.place = place;
        this.elements = elements;
        this.groups = groups;
    }

    /**
     * Reads the columns.
     *
     * @param elements the schema, its root first
     * @param groups the row groups, which tell what leaves are encrypted or elsewhere
     * @throws SpillwayException {@code FILE_CORRUPT}, {@code SCHEMA_MISMATCH} if two columns have
     *     one name
     */
    static FooterSchema of(Place place, List<SchemaElement> elements, List<RowGroup> groups) {
        FooterSchema schema = new FooterSchema(place, elements, groups);
        schema.read();
        return schema;
    }

    List<Footer.Column> columns() {
        return columns;
    }

    /** Number of leaves, which is that of each row group's chunks. */
    int leaves() {
        return leaves;
    }

    private void read() {
        if (elements.isEmpty()) {
            throw damaged();
        }
        Set<String> names = new HashSet<>();
        int count = elements.getFirst().getNum_children();
        for (int i = 0; i < count; i++) {
            String name = element(at).getName();
            if (name == null) {
                throw damaged();
            }
            if (!names.add(name)) {
                throw new SpillwayException(
                                ErrorCode.SCHEMA_MISMATCH,
                                "Two columns of '%s' have the name '%s'"
                                        .formatted(place.file(), name))
                        .with(SpillwayException.FILE, place.file())
                        .with(SpillwayException.COLUMN, name);
            }
            columns.add(column(name));
        }
        if (at != elements.size()) {
            throw damaged();
        }
    }

    private SchemaElement element(int index) {
        if (index >= elements.size()) {
            throw damaged();
        }
        return elements.get(index);
    }

    private SpillwayException damaged() {
        return place.corrupt("The footer is damaged: the schema is not a tree");
    }

    private Footer.Column column(String name) {
        int from = at;
        int firstLeaf = leaves;
        String why = pass();
        if (why != null) {
            return new Footer.Column(name, null, why);
        }
        Type type = type(elements.subList(from, at));
        if (type == null) {
            return new Footer.Column(name, null, "its type is not valid");
        }
        why = NestedTypes.unreadable(type);
        if (why != null) {
            return new Footer.Column(name, null, why);
        }
        ColumnNode node = NestedTypes.of(type, firstLeaf);
        return NestedTypes.depth(node.field().type()) <= NestedTypes.MAX_DEPTH
                ? new Footer.Column(name, node, null)
                : new Footer.Column(name, null, NestedTypes.TOO_DEEP);
    }

    /**
     * Passes over one column's elements, and counts its leaves.
     *
     * @return what hinders reading it, or null
     */
    private @Nullable String pass() {
        List<Integer> open = new ArrayList<>();
        List<String> path = new ArrayList<>();
        String why = null;
        do {
            SchemaElement next = element(at++);
            path.add(next.getName());
            int children = next.isSetType() ? 0 : next.getNum_children();
            if (open.size() >= MAX_GROUPS) {
                why = NestedTypes.TOO_DEEP;
            } else if (next.isSetType()) {
                why = why == null ? unreadableLeaf(path) : why;
            } else if (children <= 0) {
                why = "its group '" + String.join(".", path) + "' has no fields";
            }
            leaves += next.isSetType() ? 1 : 0;
            if (children > 0) {
                open.add(children);
            } else {
                path.removeLast();
                close(open, path);
            }
        } while (!open.isEmpty());
        return why;
    }

    /** Ends a field: the innermost group has one less to come, and may itself end with it. */
    private static void close(List<Integer> open, List<String> path) {
        while (!open.isEmpty()) {
            int left = open.removeLast() - 1;
            if (left > 0) {
                open.add(left);
                return;
            }
            path.removeLast();
        }
    }

    /** What hinders reading the next leaf in some row group, or null. */
    private @Nullable String unreadableLeaf(List<String> path) {
        for (RowGroup group : groups) {
            List<ColumnChunk> chunks = group.getColumns();
            String why =
                    chunks == null || leaves >= chunks.size()
                            ? null
                            : unreadable(chunks.get(leaves));
            if (why != null) {
                return path.size() == 1 ? why : NestedTypes.ofLeaf(String.join(".", path), why);
            }
        }
        return null;
    }

    private static @Nullable String unreadable(ColumnChunk chunk) {
        if (chunk.isSetCrypto_metadata()) {
            return "it is encrypted, and there is no key for it";
        }
        return chunk.isSetFile_path() ? "its data is in another file" : null;
    }

    /** A column's type as parquet-java understands it, or null if it does not. */
    private @Nullable Type type(List<SchemaElement> column) {
        try {
            return convert(column);
        } catch (IOException | RuntimeException e) {
            return typeWithoutMisfits(column);
        }
    }

    /** Leaves aside the logical types of leaves that do not fit their physical types. */
    private static @Nullable Type typeWithoutMisfits(List<SchemaElement> column) {
        List<SchemaElement> fitting = new ArrayList<>();
        for (SchemaElement element : column) {
            boolean misfit = false;
            if (element.isSetType()) {
                try {
                    convert(List.of(element));
                } catch (IOException | RuntimeException e) {
                    misfit = true;
                }
            }
            if (misfit) {
                SchemaElement plain = new SchemaElement(element);
                plain.unsetLogicalType();
                plain.unsetConverted_type();
                fitting.add(plain);
            } else {
                fitting.add(element);
            }
        }
        try {
            return convert(fitting);
        } catch (IOException | RuntimeException e) {
            return null;
        }
    }

    private static Type convert(List<SchemaElement> column) throws IOException {
        List<SchemaElement> schema = new ArrayList<>(column.size() + 1);
        schema.add(new SchemaElement("schema").setNum_children(1));
        schema.addAll(column);
        FileMetaData file = new FileMetaData(1, schema, 0, List.of());
        return CONVERTER.fromParquetMetadata(file).getFileMetaData().getSchema().getType(0);
    }
}
