package io.spillway.expression;

/** The arithmetic of two operands. */
enum ArithmeticOperator {
    ADD("+"),
    SUBTRACT("-"),
    MULTIPLY("*"),
    DIVIDE("/"),
    REMAINDER("%");

    private final String symbol;

    ArithmeticOperator(String symbol) {
        this.symbol = symbol;
    }

    String symbol() {
        return symbol;
    }

    /** Whether a right operand of zero has no result. */
    boolean divides() {
        return this == DIVIDE || this == REMAINDER;
    }
}
