package io.spillway.expression;

import io.spillway.batch.ColumnType;
import org.apache.arrow.vector.FieldVector;

/** A conversion of text to anything of fixed width but bytes, row by row. */
final class TextParseCast extends CastValue {

    private final TextParser parser;
    private final TextScanner text = new TextScanner();

    private TextParseCast(Value argument, ColumnType type, boolean safe, TextParser parser) {
        super(argument, type, safe);
        this.parser = parser;
    }

    static Value of(Value argument, ColumnType type, boolean safe) {
        return of(argument, type, safe, TextParser.of(type));
    }

    /** A conversion of texts in a form of their own. */
    static Value of(Value argument, ColumnType type, boolean safe, TextParser parser) {
        return new TextParseCast(argument, type, safe, parser);
    }

    @Override
    public Operand evaluate(Input input) {
        int rows = input.rows();
        try (Operand operand = argument().plain(input);
                FixedOutput out = new FixedOutput(field(), rows, input.allocator())) {
            FieldVector values = operand.vector();
            BytesReader reader = new BytesReader(values);
            Bits.copy(Vectors.validity(values), out.validity(), rows);
            for (int row = 0; row < rows; row++) {
                boolean parsed = false;
                if (Bits.get(out.validity(), row)) {
                    text.set(reader.address(row), reader.length(row));
                    parsed = parser.parse(text);
                    if (!parsed) {
                        reject(values, row, out.validity());
                    }
                }
                Slots.put(
                        type(),
                        out.data(),
                        row,
                        parsed ? parser.low() : 0,
                        parsed ? parser.high() : 0);
            }
            return Operand.owned(out.take());
        }
    }
}
