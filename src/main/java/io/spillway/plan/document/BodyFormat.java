package io.spillway.plan.document;

/** What the requests of a delivery carry. */
public enum BodyFormat {
    /** A template with the rows in it; without one, a JSON array of the rows as objects. */
    JSON("json", "application/json"),
    /** A line for each row, an object. */
    NDJSON("ndjson", "application/x-ndjson"),
    /** An Arrow IPC stream with the rows as its one record batch. */
    ARROW("arrow", "application/vnd.apache.arrow.stream");

    private final String word;
    private final String mediaType;

    BodyFormat(String word, String mediaType) {
        this.word = word;
        this.mediaType = mediaType;
    }

    /** The word for it in the interface. */
    public String word() {
        return word;
    }

    public String mediaType() {
        return mediaType;
    }
}
