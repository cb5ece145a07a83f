@NullMarked
package io.spillway.delivery.http;

import org.jspecify.annotations.NullMarked;
