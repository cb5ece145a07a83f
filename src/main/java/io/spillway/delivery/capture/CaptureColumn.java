package io.spillway.delivery.capture;

import org.jspecify.annotations.Nullable;

/**
 * A column that is to be captured.
 *
 * @param name of the column in the data set
 * @param path where its values stand in a response, in JSONPath: one for each row that was sent
 * @param type the text form of its type; null for the type of its values
 */
public record CaptureColumn(String name, String path, @Nullable String type) {}
