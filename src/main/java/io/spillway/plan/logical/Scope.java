package io.spillway.plan.logical;

import java.util.Map;
import java.util.Set;

/**
 * What names mean in an expression: columns of a relation, in a query also by the tables that they
 * come from.
 *
 * @param relation the columns; their names are unique
 * @param tables by the name under which a query knows them, their columns' names
 * @param query whether the expression stands in a query, which may ask for more than steps may
 */
record Scope(Relation relation, Map<String, Set<String>> tables, boolean query) {

    Scope {
        tables = Map.copyOf(tables);
    }

    /** The scope of a step. */
    static Scope ofStep(Relation relation) {
        return new Scope(relation, Map.of(), false);
    }

    /** The scope of a query. */
    static Scope ofQuery(Relation relation, Map<String, Set<String>> tables) {
        return new Scope(relation, tables, true);
    }

    /** The same names over other algebra with the same columns. */
    Scope over(Relation changed) {
        return new Scope(changed, tables, query);
    }
}
