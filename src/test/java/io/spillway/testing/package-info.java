/** What tests share: the service in one process, sample data, HTTP. */
@NullMarked
package io.spillway.testing;

import org.jspecify.annotations.NullMarked;
