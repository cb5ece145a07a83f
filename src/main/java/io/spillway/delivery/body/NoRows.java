package io.spillway.delivery.body;

/** The job has no batch there: no row, or only rows of a short one that is to be left out. */
public record NoRows() implements BodyRead {}
