/** Files by URI: status, listing, ranged reads. */
@NullMarked
package io.spillway.storage;

import org.jspecify.annotations.NullMarked;
