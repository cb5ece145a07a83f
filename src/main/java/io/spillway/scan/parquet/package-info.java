/**
 * Parquet to Arrow: footers and page headers by parquet-java, decoding by Spillway's own vectorised
 * decoder.
 */
@NullMarked
package io.spillway.scan.parquet;

import org.jspecify.annotations.NullMarked;
