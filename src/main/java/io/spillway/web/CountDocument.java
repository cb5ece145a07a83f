package io.spillway.web;

/**
 * The count of a job's rows.
 *
 * @param rowCount rows of the whole job
 */
record CountDocument(long rowCount) {}
