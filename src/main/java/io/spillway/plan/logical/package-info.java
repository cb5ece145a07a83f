/** Plan documents to validated, optimised relational algebra, by Calcite. */
@NullMarked
package io.spillway.plan.logical;

import org.jspecify.annotations.NullMarked;
