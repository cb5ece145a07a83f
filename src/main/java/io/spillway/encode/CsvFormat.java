package io.spillway.encode;

/**
 * Rows as CSV (RFC 4180, UTF-8): a header line, then a line a row, all ended by CR and LF.
 *
 * <ul>
 *   <li>Null is an empty field, the empty text {@code ""}. Fields stand in quotes if they are
 *       empty, begin or end with a space, or have a comma, a quotation mark or a control character
 *       in them; lists, structs and maps always do.
 *   <li>Numbers have all their digits; {@code NaN}, {@code Infinity} and {@code -Infinity} are bare
 *       words. Dates, times and timestamps are RFC 3339, binary is base64, and lists, structs and
 *       maps are their JSON text.
 *   <li>Where a row has but one field, null would be an empty line, which most readers skip. There
 *       it is {@code ""} if the column's type has no empty value, as numbers and times have none;
 *       for text and binary it is the bare word {@code NULL}, and a text that reads so stands in
 *       quotes.
 *   <li>Where there are no columns, header and rows are empty lines.
 * </ul>
 *
 * @param replaceInvalidText invalid UTF-8 becomes U+FFFD rather than an error
 */
public record CsvFormat(boolean replaceInvalidText) implements RowFormat {}
