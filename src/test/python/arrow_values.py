"""Reads Arrow IPC streams, checks them whole, and prints what is in them.

A line for each file named: a JSON object with the fields' types, the numbers of rows in the
batches, and the columns' values. Numbers are their digits, floating-point numbers and times the
integers that have the same bits, decimals their unscaled values, binary is hexadecimal.
"""

import json
import sys

import pyarrow as pa


def values(array):
    kind = array.type
    if pa.types.is_map(kind):
        entries = list(zip(values(array.keys), values(array.items)))
        return lists(array, [list(entry) for entry in entries])
    if pa.types.is_list(kind):
        return lists(array, values(array.values))
    if pa.types.is_struct(kind):
        fields = [values(array.field(i)) for i in range(kind.num_fields)]
        return [
            [field[i] for field in fields] if valid else None
            for i, valid in enumerate(array.is_valid().to_pylist())
        ]
    return leaves(array, kind)


def lists(array, elements):
    offsets = array.offsets.to_pylist()
    return [
        elements[offsets[i] : offsets[i + 1]] if valid else None
        for i, valid in enumerate(array.is_valid().to_pylist())
    ]


def leaves(array, kind):
    if pa.types.is_boolean(kind):
        return [text(value, lambda v: "true" if v else "false") for value in array.to_pylist()]
    if pa.types.is_string(kind):
        return array.to_pylist()
    if pa.types.is_binary(kind) or pa.types.is_fixed_size_binary(kind):
        return [text(value, bytes.hex) for value in array.to_pylist()]
    if pa.types.is_decimal(kind):
        return [text(value, unscaled) for value in array.to_pylist()]
    if not pa.types.is_integer(kind):
        array = array.view({16: pa.uint16(), 32: pa.int32(), 64: pa.int64()}[kind.bit_width])
    return [text(value, str) for value in array.to_pylist()]


def text(value, to_text):
    return None if value is None else to_text(value)


def unscaled(value):
    sign, digits, _ = value.as_tuple()
    return str((-1 if sign else 1) * int("".join(map(str, digits))))


def main(paths):
    for path in paths:
        with pa.OSFile(path) as file, pa.ipc.open_stream(file) as reader:
            batches = list(reader)
            if file.read(1):
                raise ValueError("something stands behind the end of the stream")
        for batch in batches:
            batch.validate(full=True)
        schema = reader.schema
        columns = [
            [value for batch in batches for value in values(batch.column(i))]
            for i in range(len(schema))
        ]
        print(
            json.dumps(
                {
                    "types": [str(field.type) for field in schema],
                    "rows": [batch.num_rows for batch in batches],
                    "columns": columns,
                }
            )
        )


if __name__ == "__main__":
    main(sys.argv[1:])
