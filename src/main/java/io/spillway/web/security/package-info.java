/** Who calls: API keys and JWTs, and the answers to those who are not let in. */
@NullMarked
package io.spillway.web.security;

import org.jspecify.annotations.NullMarked;
