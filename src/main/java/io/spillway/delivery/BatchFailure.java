package io.spillway.delivery;

import org.jspecify.annotations.Nullable;

/**
 * Why a batch is not delivered.
 *
 * @param reason a word of the interface, such as {@code timeout}, {@code status} or {@code
 *     too-large}, or the code of what is wrong with its rows
 * @param message a sentence
 * @param status of the answer, if there was one
 * @param responseHead the first characters of the answer's body, if there was one
 */
public record BatchFailure(
        String reason, String message, @Nullable Integer status, @Nullable String responseHead) {}
