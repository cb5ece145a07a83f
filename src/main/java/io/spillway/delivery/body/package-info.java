/**
 * Request bodies made of a job's rows: what a template or a format makes of each batch, to the byte
 * the same whenever it is made.
 */
@NullMarked
package io.spillway.delivery.body;

import org.jspecify.annotations.NullMarked;
