/** What is executed: a sealed tree of resolved operators, kept with the job as JSON. */
@NullMarked
package io.spillway.plan.physical;

import org.jspecify.annotations.NullMarked;
