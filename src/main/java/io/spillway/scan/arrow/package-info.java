/** Reading of Arrow IPC files and streams. */
@NullMarked
package io.spillway.scan.arrow;

import org.jspecify.annotations.NullMarked;
