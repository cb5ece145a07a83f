/** The plan as the client wrote it: steps, limits, and places in the document. */
@NullMarked
package io.spillway.plan.document;

import org.jspecify.annotations.NullMarked;
