/** HTTP: controllers, content negotiation, problems, security. */
@NullMarked
package io.spillway.web;

import org.jspecify.annotations.NullMarked;
