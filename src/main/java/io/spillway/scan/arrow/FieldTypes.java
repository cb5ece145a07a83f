package io.spillway.scan.arrow;

import com.google.flatbuffers.Table;
import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import io.spillway.scan.arrow.Layout.Conversion;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.arrow.flatbuf.Date;
import org.apache.arrow.flatbuf.DateUnit;
import org.apache.arrow.flatbuf.Decimal;
import org.apache.arrow.flatbuf.Field;
import org.apache.arrow.flatbuf.FixedSizeBinary;
import org.apache.arrow.flatbuf.FixedSizeList;
import org.apache.arrow.flatbuf.FloatingPoint;
import org.apache.arrow.flatbuf.Int;
import org.apache.arrow.flatbuf.Interval;
import org.apache.arrow.flatbuf.IntervalUnit;
import org.apache.arrow.flatbuf.Precision;
import org.apache.arrow.flatbuf.Time;
import org.apache.arrow.flatbuf.TimeUnit;
import org.apache.arrow.flatbuf.Timestamp;
import org.apache.arrow.flatbuf.Type;
import org.apache.arrow.flatbuf.Union;
import org.apache.arrow.flatbuf.UnionMode;
import org.jspecify.annotations.Nullable;

/**
 * Arrow's types as Spillway's. What has a counterpart is read as that: texts, bytes and lists with
 * wide offsets or views, lists of one size, dates in milliseconds, decimals of any width up to 38
 * digits, timestamps of any zone (they are instants), and the type of nothing but nulls (as text).
 * Extension types are read as what they are stored as.
 */
final class FieldTypes {

    private static final int MAX_PRECISION = 38;

    private final String name;
    private final boolean nullable;
    private final List<ArrowField> children;
    private final Place place;

    private FieldTypes(String name, boolean nullable, List<ArrowField> children, Place place) {
        this.name = name;
        this.nullable = nullable;
        this.children = children;
        this.place = place;
    }

    /** A field in plain form. */
    static ArrowField of(String name, Field field, List<ArrowField> children, Place place) {
        return new FieldTypes(name, field.nullable(), children, place).field(field);
    }

    private ArrowField field(Field field) {
        return switch (field.typeType()) {
            case Type.Null ->
                    new ArrowField(
                            name,
                            true,
                            new Layout.Nulls(),
                            new ColumnType.Utf8(),
                            null,
                            List.of(),
                            null);
            case Type.Bool -> leaf(new Layout.Bits(), new ColumnType.Bool());
            case Type.Int -> integer(table(field, new Int()));
            case Type.FloatingPoint -> floating(table(field, new FloatingPoint()));
            case Type.Decimal -> decimal(table(field, new Decimal()));
            case Type.Date -> date(table(field, new Date()));
            case Type.Time -> time(table(field, new Time()));
            case Type.Timestamp -> timestamp(table(field, new Timestamp()));
            case Type.Utf8 -> leaf(new Layout.Bytes(Integer.BYTES), new ColumnType.Utf8());
            case Type.LargeUtf8 -> leaf(new Layout.Bytes(Long.BYTES), new ColumnType.Utf8());
            case Type.Utf8View -> leaf(new Layout.Views(), new ColumnType.Utf8());
            case Type.Binary -> leaf(new Layout.Bytes(Integer.BYTES), new ColumnType.Binary());
            case Type.LargeBinary -> leaf(new Layout.Bytes(Long.BYTES), new ColumnType.Binary());
            case Type.BinaryView -> leaf(new Layout.Views(), new ColumnType.Binary());
            case Type.FixedSizeBinary -> fixedBinary(table(field, new FixedSizeBinary()));
            case Type.List -> list(new Layout.Elements(Integer.BYTES));
            case Type.LargeList -> list(new Layout.Elements(Long.BYTES));
            case Type.FixedSizeList -> fixedList(table(field, new FixedSizeList()));
            case Type.Struct_ -> struct();
            case Type.Map -> map();
            case Type.Duration -> unread(Layout.fixed(Long.BYTES), "Duration");
            case Type.Interval -> interval(table(field, new Interval()));
            case Type.Union -> union(table(field, new Union()));
            case Type.RunEndEncoded -> unread(new Layout.Unread(0, 0), "RunEndEncoded");
            case Type.ListView, Type.LargeListView ->
                    unread(new Layout.Unread(3, 3), SchemaReader.typeName(field.typeType()));
            default ->
                    throw place.notSupported(
                            "A column of " + SchemaReader.typeName(field.typeType()));
        };
    }

    private <T extends Table> T table(Field field, T type) {
        if (field.type(type) == null) {
            throw place.corrupt("A field has no type");
        }
        return type;
    }

    private ArrowField leaf(Layout layout, ColumnType type) {
        checkChildren(0);
        return new ArrowField(name, nullable, layout, type, null, List.of(), null);
    }

    private ArrowField unread(Layout layout, String what) {
        return unreadable(layout, "its type, " + what + ", is not supported");
    }

    private ArrowField unreadable(Layout layout, String why) {
        return new ArrowField(name, nullable, layout, null, why, children, null);
    }

    private void checkChildren(int count) {
        if (children.size() != count) {
            throw place.corrupt(
                    "The field '%s' has %,d children in place of %,d"
                            .formatted(name, children.size(), count));
        }
    }

    private ArrowField integer(Int type) {
        int bits = type.bitWidth();
        if (bits != 8 && bits != 16 && bits != 32 && bits != 64) {
            throw place.corrupt("There is no integer of %,d bits".formatted(bits));
        }
        return leaf(Layout.fixed(bits / Byte.SIZE), new ColumnType.Int(bits, type.isSigned()));
    }

    private ArrowField floating(FloatingPoint type) {
        int bits =
                switch (type.precision()) {
                    case Precision.HALF -> 16;
                    case Precision.SINGLE -> 32;
                    case Precision.DOUBLE -> 64;
                    default -> throw place.corrupt("There is no such precision");
                };
        return leaf(Layout.fixed(bits / Byte.SIZE), new ColumnType.FloatingPoint(bits));
    }

    private ArrowField decimal(Decimal type) {
        int bits = type.bitWidth();
        if (bits != 32 && bits != 64 && bits != 128 && bits != 256) {
            throw place.corrupt("There is no decimal of %,d bits".formatted(bits));
        }
        int width = bits / Byte.SIZE;
        Layout layout = new Layout.Fixed(width, bits == 128 ? Conversion.NONE : Conversion.DECIMAL);
        int precision = type.precision();
        int scale = type.scale();
        if (precision < 1 || precision > MAX_PRECISION || scale < 0 || scale > precision) {
            return unread(layout, "Decimal(%d, %d)".formatted(precision, scale));
        }
        return leaf(layout, new ColumnType.Decimal(precision, scale));
    }

    private ArrowField date(Date type) {
        return switch (type.unit()) {
            case DateUnit.DAY -> leaf(Layout.fixed(Integer.BYTES), new ColumnType.Date());
            case DateUnit.MILLISECOND ->
                    leaf(new Layout.Fixed(Long.BYTES, Conversion.DAYS), new ColumnType.Date());
            default -> throw place.corrupt("There is no such unit of dates");
        };
    }

    private ArrowField time(Time type) {
        ColumnType.TimeUnit unit = unit(type.unit());
        int bits = unit.digits() <= 3 ? Integer.SIZE : Long.SIZE;
        if (type.bitWidth() != bits) {
            throw place.corrupt(
                    "A time in %s has %,d bits".formatted(unit.symbol(), type.bitWidth()));
        }
        return leaf(Layout.fixed(bits / Byte.SIZE), new ColumnType.Time(unit));
    }

    private ArrowField timestamp(Timestamp type) {
        var zone = type.timezoneAsByteBuffer();
        boolean utc = zone != null && zone.hasRemaining();
        return leaf(Layout.fixed(Long.BYTES), new ColumnType.Timestamp(unit(type.unit()), utc));
    }

    private ColumnType.TimeUnit unit(short unit) {
        return switch (unit) {
            case TimeUnit.SECOND -> ColumnType.TimeUnit.SECOND;
            case TimeUnit.MILLISECOND -> ColumnType.TimeUnit.MILLI;
            case TimeUnit.MICROSECOND -> ColumnType.TimeUnit.MICRO;
            case TimeUnit.NANOSECOND -> ColumnType.TimeUnit.NANO;
            default -> throw place.corrupt("There is no such unit of time");
        };
    }

    private ArrowField fixedBinary(FixedSizeBinary type) {
        int width = type.byteWidth();
        if (width < 0) {
            throw place.corrupt("Values have %,d bytes".formatted(width));
        }
        Layout layout = Layout.fixed(width);
        return width == 0
                ? unread(layout, "FixedSizeBinary(0)")
                : leaf(layout, new ColumnType.FixedBinary(width));
    }

    private ArrowField interval(Interval type) {
        int width =
                switch (type.unit()) {
                    case IntervalUnit.YEAR_MONTH -> 4;
                    case IntervalUnit.DAY_TIME -> 8;
                    case IntervalUnit.MONTH_DAY_NANO -> 16;
                    default -> throw place.corrupt("There is no such unit of intervals");
                };
        return unread(Layout.fixed(width), "Interval");
    }

    private ArrowField union(Union type) {
        int buffers = type.mode() == UnionMode.Dense ? 2 : 1;
        return unread(new Layout.Unread(buffers, buffers + 1), "Union");
    }

    private ArrowField list(Layout layout) {
        checkChildren(1);
        ArrowField element = children.getFirst();
        return nested(
                layout,
                element.type() == null
                        ? null
                        : new ColumnType.ListOf(element.type(), element.nullable()));
    }

    private ArrowField fixedList(FixedSizeList type) {
        if (type.listSize() < 0) {
            throw place.corrupt("Lists have %,d elements".formatted(type.listSize()));
        }
        return list(new Layout.FixedElements(type.listSize()));
    }

    private ArrowField struct() {
        List<ColumnSchema> fields = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (ArrowField child : children) {
            if (!names.add(child.name())) {
                return unreadable(
                        new Layout.Fields(),
                        "two of its fields have the name '" + child.name() + "'");
            }
            if (child.type() != null) {
                fields.add(child.column());
            }
        }
        return nested(
                new Layout.Fields(),
                fields.size() < children.size() ? null : new ColumnType.Struct(fields));
    }

    /**
     * The keys of a map are never null, whatever its schema says; a null among them is an error.
     */
    private ArrowField map() {
        checkChildren(1);
        ArrowField entries = children.getFirst();
        if (!(entries.layout() instanceof Layout.Fields)
                || entries.children().size() != 2
                || entries.dictionary() != null) {
            throw place.corrupt("A map has no entries of key and value");
        }
        ArrowField key = required(entries.children().get(0));
        ArrowField value = entries.children().get(1);
        ArrowField pairs = required(entries);
        ArrowField all =
                new ArrowField(
                        pairs.name(),
                        false,
                        pairs.layout(),
                        pairs.type(),
                        pairs.unreadable(),
                        List.of(key, value),
                        null);
        ColumnType type =
                key.type() == null || value.type() == null
                        ? null
                        : new ColumnType.MapOf(key.type(), value.type(), value.nullable());
        return new FieldTypes(name, nullable, List.of(all), place)
                .nested(new Layout.Elements(Integer.BYTES), type);
    }

    private static ArrowField required(ArrowField field) {
        return new ArrowField(
                field.name(),
                false,
                field.layout(),
                field.type(),
                field.unreadable(),
                field.children(),
                field.dictionary());
    }

    private ArrowField nested(Layout layout, @Nullable ColumnType type) {
        return type == null
                ? unreadable(layout, partOf(children))
                : new ArrowField(name, nullable, layout, type, null, children, null);
    }

    /** Why a field is not readable of which a part is not. */
    private static String partOf(List<ArrowField> children) {
        for (ArrowField child : children) {
            if (child.unreadable() != null) {
                return "its field '" + child.name() + "' cannot be read: " + child.unreadable();
            }
        }
        return "a part of it cannot be read";
    }
}
