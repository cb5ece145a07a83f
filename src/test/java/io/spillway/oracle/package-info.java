/** DuckDB as the judge of results: cases rendered to a plan and to SQL, compared in order. */
@NullMarked
package io.spillway.oracle;

import org.jspecify.annotations.NullMarked;
