package io.spillway.oracle;

/** A column that an expression may name. */
record Column(String name, ValueType type) {

    /** The name as SQL, quoted. */
    String quoted() {
        return '"' + name.replace("\"", "\"\"") + '"';
    }
}
