package io.spillway.plan.logical;

import io.spillway.error.SpillwayException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.calcite.config.CalciteConnectionConfigImpl;
import org.apache.calcite.jdbc.CalciteSchema;
import org.apache.calcite.prepare.CalciteCatalogReader;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.jspecify.annotations.Nullable;

/** The tables that one query names, as Calcite looks them up. */
final class QueryTables {

    private final CalciteSchema schema = CalciteSchema.createRootSchema(false);
    private final Map<String, Relation> byName = new HashMap<>();

    /** Puts a table where the query finds it. */
    void add(String name, Relation relation) {
        if (byName.put(name, relation) == null) {
            schema.add(name, new QueryTable(relation));
        }
    }

    /** Adds a table under a name that no text can hold. */
    SqlIdentifier add(Relation relation) {
        String name = "\0" + byName.size();
        add(name, relation);
        return new SqlIdentifier(name, SqlParserPos.ZERO);
    }

    /** The table of a name, or null. */
    @Nullable Relation find(String name) {
        return byName.get(name);
    }

    CalciteCatalogReader reader() {
        return new CalciteCatalogReader(
                schema,
                List.of(),
                SpillwayTypeFactory.INSTANCE,
                new CalciteConnectionConfigImpl(new Properties()));
    }

    /** The error for a column that a table has but that cannot be read, or null. */
    @Nullable SpillwayException unreadable(String column) {
        for (Relation relation : byName.values()) {
            if (relation.find(column) instanceof Relation.Unreadable unreadable) {
                return unreadable.error();
            }
        }
        return null;
    }
}
