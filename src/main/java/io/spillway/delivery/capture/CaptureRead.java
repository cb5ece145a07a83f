package io.spillway.delivery.capture;

/** What came of a response. */
public sealed interface CaptureRead permits Captured, Refused {}
