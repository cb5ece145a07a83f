/**
 * From a plan document, by way of validated and optimised relational algebra, to what is executed.
 * Calcite is used here and nowhere else.
 */
@NullMarked
package io.spillway.plan.logical;

import org.jspecify.annotations.NullMarked;
