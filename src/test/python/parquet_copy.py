"""Reads Parquet files, validates what is in them, and writes it anew: IN OUT IN OUT ..."""

import sys

import pyarrow.parquet as pq

paths = sys.argv[1:]
for source, target in zip(paths[::2], paths[1::2]):
    table = pq.ParquetFile(source, page_checksum_verification=True).read()
    table.validate(full=True)
    pq.write_table(table, target, store_schema=False)
