package io.spillway.delivery.body;

/** What came of reading a batch. */
public sealed interface BodyRead permits Body, BadBody, NoRows {}
