"""Writes Arrow IPC files and streams of all sorts into a folder, each with the rows that are in it.

Beside each file there is one of the same name and `.rows`: a JSON line for the columns' names that
can be read, and one for each row, of texts that are exact: numbers are their digits, times what they
count, decimals have all digits of their scale, bytes are hexadecimal, and what stands in lists,
structs and maps is written as [1, null], {"x": 1} and <"k": 1>, texts and bytes there in quotes.
"""

import decimal
import json
import os
import sys

import pyarrow as pa

UNREADABLE = (
    pa.types.is_union,
    pa.types.is_duration,
    pa.types.is_run_end_encoded,
    lambda kind: kind == pa.month_day_nano_interval(),
    lambda kind: str(kind).startswith(("list_view", "large_list_view")),
)


def columns(rows):
    def cycle(values, kind):
        return pa.array([values[i % len(values)] for i in range(rows)], kind)

    flat = {
        "bool": cycle([True, None, False], pa.bool_()),
        "i8": cycle([-128, 127, None, 0], pa.int8()),
        "u8": cycle([255, None, 1], pa.uint8()),
        "i16": cycle([-32768, 5], pa.int16()),
        "u16": cycle([65535, None], pa.uint16()),
        "i32": cycle([-(2**31), 7, None, 2**31 - 1], pa.int32()),
        "u32": cycle([2**32 - 1, None, 3], pa.uint32()),
        "i64": cycle([-(2**63), None, 2**63 - 1], pa.int64()),
        "u64": cycle([2**64 - 1, None], pa.uint64()),
        "f32": cycle([0.25, None, -3.5, float("nan")], pa.float32()),
        "f64": cycle([0.125, float("inf"), None, -0.5], pa.float64()),
        "d32": cycle([decimal.Decimal("-1.50"), None], pa.decimal32(7, 2)),
        "d64": cycle([decimal.Decimal("12345678901.5"), None], pa.decimal64(15, 1)),
        "d128": cycle([decimal.Decimal("-99999999999999999999.001"), None], pa.decimal128(38, 3)),
        "d256": cycle([decimal.Decimal("-7.01"), None, decimal.Decimal("8.00")], pa.decimal256(38, 2)),
        "text": cycle(["a", "", None, "four", "Zoë " * 9], pa.string()),
        "bytes": cycle([b"\x00\xff", None, b""], pa.binary()),
        "large": cycle(["large", None, "", "text"], pa.large_string()),
        "largeBytes": cycle([b"\x01", None], pa.large_binary()),
        "view": cycle(["short", None, "a text of more than twelve bytes", ""], pa.string_view()),
        "byteView": cycle([b"0123456789ab", b"0123456789abc", None], pa.binary_view()),
        "fixed": cycle([b"abc", None, b"xyz"], pa.binary(3)),
        "date": cycle([0, -1, None, 20000], pa.date32()),
        "date64": pa.array(
            [None if i % 3 == 1 else (i - 5) * 86400000 for i in range(rows)], pa.int64()
        ).view(pa.date64()),
        "t32": cycle([86399, None], pa.time32("s")),
        "t64": cycle([86399999999, None, 0], pa.time64("us")),
        "tsS": cycle([-1, None, 1700000000], pa.timestamp("s")),
        "tsNs": cycle([1700000000000000001, None], pa.timestamp("ns", tz="Europe/Paris")),
        "none": pa.nulls(rows),
    }
    point = pa.struct([("x", pa.int32()), ("y", pa.string())])
    nested = {
        "list": cycle([[1, None, 3], [], None, [4]], pa.list_(pa.int32())),
        "largeList": cycle([["a", None], None, [], ["b", "c", "d"]], pa.large_list(pa.string())),
        "pair": cycle([[1, 2], None, [None, 4]], pa.list_(pa.int16(), 2)),
        "struct": cycle([{"x": 1, "y": "one"}, None, {"x": None, "y": None}], point),
        "map": cycle([[("k", 1), ("l", None)], [], None], pa.map_(pa.string(), pa.int64())),
        "deep": cycle(
            [[[{"x": 1, "y": "a"}], None, []], None, [[None, {"x": 2, "y": None}]]],
            pa.list_(pa.list_(point)),
        ),
        "bits": cycle([[True, False, None], None, [False]], pa.list_(pa.bool_())),
    }
    words = ["north", "south", None, "east"]
    encoded = {
        "dict": cycle(words, pa.string()).dictionary_encode(),
        "dict8": cycle([3, None, 5], pa.int64()).dictionary_encode().cast(
            pa.dictionary(pa.int8(), pa.int64())
        ),
        "dictNull": pa.DictionaryArray.from_arrays(
            cycle([0, 1, None, 2], pa.uint16()), pa.array(["x", None, "z"])
        ),
        "dictBool": pa.DictionaryArray.from_arrays(
            cycle([1, 0, None], pa.int32()), pa.array([True, False])
        ),
        "dictList": pa.DictionaryArray.from_arrays(
            cycle([0, 2, None, 1], pa.int64()), pa.array([[1, 2], None, []], pa.list_(pa.int8()))
        ),
        "dictIn": pa.StructArray.from_arrays(
            [
                cycle(words, pa.string()).dictionary_encode(),
                pa.ListArray.from_arrays(
                    pa.array(range(0, 2 * rows + 1, 2), pa.int32()),
                    pa.array((words * rows)[: 2 * rows]).dictionary_encode(),
                ),
            ],
            names=["a", "b"],
        ),
    }
    return flat, nested, encoded


def unreadable(rows):
    return {
        "duration": pa.array([1] * rows, pa.duration("s")),
        "interval": pa.array([(1, 2, 3)] * rows, pa.month_day_nano_interval()),
        "sparse": pa.UnionArray.from_sparse(
            pa.array([0] * rows, pa.int8()), [pa.array(["a"] * rows), pa.array([1] * rows)]
        ),
        "dense": pa.UnionArray.from_dense(
            pa.array([0] * rows, pa.int8()),
            pa.array(range(rows), pa.int32()),
            [pa.array(["a"] * rows), pa.array([1] * rows)],
        ),
        "runs": pa.RunEndEncodedArray.from_arrays(pa.array([rows], pa.int32()), pa.array(["r"])),
        "listView": pa.array([[1]] * rows, pa.list_view(pa.int32())),
        "inner": pa.array([{"d": 1}] * rows, pa.struct([("d", pa.duration("s"))])),
        "last": pa.array(range(rows)),
    }


def readable(kind):
    if any(test(kind) for test in UNREADABLE):
        return False
    if pa.types.is_map(kind):
        return readable(kind.key_type) and readable(kind.item_type)
    return all(readable(kind.field(i).type) for i in range(kind.num_fields))


def texts(array):
    kind = array.type
    if pa.types.is_dictionary(kind):
        entries = texts(array.dictionary)
        return [None if i is None else entries[i] for i in array.indices.to_pylist()]
    valid = array.is_valid().to_pylist()
    if pa.types.is_map(kind):
        keys = quoted(array.keys)
        items = quoted(array.items)
        offsets = array.offsets.to_pylist()
        return [
            "<" + ", ".join(f"{keys[j]}: {items[j]}" for j in range(offsets[i], offsets[i + 1])) + ">"
            if valid[i]
            else None
            for i in range(len(array))
        ]
    if pa.types.is_fixed_size_list(kind):
        size = kind.list_size
        values = quoted(array.values)
        first = array.offset * size
        return [
            "[" + ", ".join(values[first + i * size : first + i * size + size]) + "]"
            if valid[i]
            else None
            for i in range(len(array))
        ]
    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        values = quoted(array.values)
        offsets = array.offsets.to_pylist()
        return [
            "[" + ", ".join(values[offsets[i] : offsets[i + 1]]) + "]" if valid[i] else None
            for i in range(len(array))
        ]
    if pa.types.is_struct(kind):
        fields = [(kind.field(i).name, quoted(array.field(i))) for i in range(kind.num_fields)]
        return [
            "{" + ", ".join(f'"{name}": {values[i]}' for name, values in fields) + "}"
            if valid[i]
            else None
            for i in range(len(array))
        ]
    return leaves(array, kind)


def quoted(array):
    kind = array.type
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    quote = pa.types.is_string(kind) or pa.types.is_binary(kind)
    return [
        "null" if text is None else f'"{text}"' if quote else text for text in texts(array)
    ]


def leaves(array, kind):
    if pa.types.is_null(kind):
        return [None] * len(array)
    if pa.types.is_boolean(kind):
        to_text = lambda value: "true" if value else "false"
    elif pa.types.is_floating(kind):
        to_text = lambda value: {"nan": "NaN", "inf": "Infinity"}.get(str(value), str(value))
    elif pa.types.is_decimal(kind):
        to_text = lambda value: format(value, "f")
    elif pa.types.is_integer(kind) or isinstance(array, (pa.StringArray, pa.LargeStringArray)):
        to_text = str
    elif kind == pa.string_view():
        to_text = str
    elif pa.types.is_date64(kind):
        array = array.view(pa.int64())
        to_text = lambda value: str(value // 86400000)
    elif pa.types.is_temporal(kind):
        array = array.view(pa.int32() if kind.bit_width == 32 else pa.int64())
        to_text = str
    else:
        to_text = bytes.hex
    return [None if value is None else to_text(value) for value in array.to_pylist()]


def write(folder, name, batches, form="file", schema=None, **options):
    path = os.path.join(folder, name)
    schema = schema or batches[0].schema
    options = pa.ipc.IpcWriteOptions(**options)
    new = pa.ipc.new_file if form == "file" else pa.ipc.new_stream
    with pa.OSFile(path, "wb") as sink, new(sink, schema, options=options) as writer:
        for batch in batches:
            writer.write_batch(batch)
    positions = [i for i, field in enumerate(schema) if readable(field.type)]
    with open(path + ".rows", "w", encoding="utf-8") as rows:
        rows.write(json.dumps([schema.field(i).name for i in positions]) + "\n")
        for batch in batches:
            values = [texts(batch.column(i)) for i in positions]
            for i in range(batch.num_rows):
                rows.write(json.dumps([column[i] for column in values]) + "\n")


def parts(batch, *sizes):
    cut, at = [], 0
    for size in sizes:
        cut.append(batch.slice(at, size))
        at += size
    return cut + [batch.slice(at)]


def main(folder, which):
    rows = 300 if which == "all" else 60
    flat, nested, encoded = columns(rows)
    every = {**flat, **nested, **encoded}
    batch = pa.record_batch(list(every.values()), names=list(every))
    cut = parts(batch, 1, 0, rows // 3, 13)
    for form in ("file", "stream"):
        for compression in (None, "lz4", "zstd"):
            name = f"every-{compression or 'plain'}.{form}"
            # The file format has no replaced dictionaries; slices here have the same.
            write(folder, name, cut, form, compression=compression, unify_dictionaries=form == "file")
        write(folder, f"v4.{form}", cut, form, metadata_version=pa.ipc.MetadataVersion.V4)
        write(folder, f"legacy.{form}", cut, form, use_legacy_format=True)
        write(folder, f"none.{form}", [], form, schema=batch.schema)
        write(folder, f"empty.{form}", [batch.slice(0, 0), batch.slice(0, 0)], form)
        others = unreadable(20)
        other = pa.record_batch(list(others.values()), names=list(others))
        write(folder, f"unreadable.{form}", [other], form)
        v4 = pa.ipc.MetadataVersion.V4
        del others["runs"]
        other = pa.record_batch(list(others.values()), names=list(others))
        write(folder, f"unreadable-v4.{form}", [other], form, metadata_version=v4)
    changing(folder)
    if which == "all":
        large(folder)


def large(folder):
    flat, nested, encoded = columns(20000)
    some = {name: {**flat, **nested, **encoded}[name] for name in LARGE}
    batch = pa.record_batch(list(some.values()), names=list(some))
    write(folder, "large.file", [batch])
    write(folder, "large-lz4.stream", [batch], "stream", compression="lz4")
    write(folder, "large-zstd.file", parts(batch, 7001), compression="zstd")


LARGE = ("i64", "bool", "text", "large", "view", "d256", "list", "struct", "map", "deep", "dict", "pair")


def changing(folder):
    def batch(words, codes):
        array = pa.DictionaryArray.from_arrays(pa.array(codes, pa.int32()), pa.array(words))
        return pa.record_batch([array], names=["where"])

    north, south, more = (
        batch(["north"], [0]),
        batch(["south", "east"], [0, 1]),
        batch(["south", "east", "west"], [2, None]),
    )
    write(folder, "changing.stream", [north, south, more, north], "stream")
    write(folder, "deltas.stream", [north, south, more], "stream", emit_dictionary_deltas=True)
    write(folder, "deltas.file", [south, more], emit_dictionary_deltas=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
