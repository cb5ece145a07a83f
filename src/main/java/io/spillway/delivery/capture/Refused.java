package io.spillway.delivery.capture;

/**
 * A response that has not what is to be captured, however often it is looked at.
 *
 * @param reason a stable word for it
 * @param message a sentence; shows nothing of the response
 */
public record Refused(Reason reason, String message) implements CaptureRead {

    /** Why nothing was captured. */
    public enum Reason {
        NOT_JSON("response-not-json"),
        TOO_LARGE("response-too-large"),
        LENGTH("capture-length"),
        TYPE("capture-type");

        private final String word;

        Reason(String word) {
            this.word = word;
        }

        /** The word for it in the interface. */
        public String word() {
            return word;
        }
    }
}
