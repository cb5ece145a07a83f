package io.spillway.encode;

/** {@code true} and {@code false}. */
final class BoolText implements ValueText.Narrow {

    @Override
    public void write(ValueBlock values, TextBuffer out, long[] spans) {
        for (int i = 0; i < values.size; i++) {
            spans[i] =
                    values.isNull(i)
                            ? Literals.NULL
                            : values.bytes[i] == 0 ? Literals.FALSE : Literals.TRUE;
        }
    }
}
