/** Datasets, allowed roots, and the snapshot that pins a job's input files. */
@NullMarked
package io.spillway.catalog;

import org.jspecify.annotations.NullMarked;
