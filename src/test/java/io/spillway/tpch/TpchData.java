package io.spillway.tpch;

import io.trino.tpch.TpchColumn;
import io.trino.tpch.TpchEntity;
import io.trino.tpch.TpchTable;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The eight tables of TPC-H as Parquet files, as a port of the benchmark's own generator makes
 * them: the same scale always gives the same rows. Keys are int64, counts int32, money and
 * quantities decimal(15,2), as DuckDB's generator types them.
 */
public final class TpchData {

    /** Files of each table but the two that never grow. */
    private static final int FILES = 4;

    private static final String DONE = "_COMPLETE";

    /** The tables' names. */
    public static final List<String> TABLES =
            TpchTable.getTables().stream().map(TpchData::name).toList();

    private TpchData() {}

    /**
     * Makes the data set unless it is there already, below the benchmarks' folder.
     *
     * @param scale TPC-H's scale factor: 1 is six million line items
     * @return its folder, with a folder of zstd files for each table
     */
    public static Path make(double scale) throws IOException, SQLException {
        Path folder =
                Path.of(System.getProperty("benchmark.folder", "benchmark-data") + "-tpch-" + scale)
                        .toAbsolutePath();
        Path done = folder.resolve(DONE);
        if (Files.exists(done)) {
            return folder;
        }
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = connection.createStatement()) {
            for (TpchTable<?> table : TpchTable.getTables()) {
                Files.createDirectories(folder.resolve(name(table)));
                int files = grows(table) ? FILES : 1;
                for (int part = 1; part <= files; part++) {
                    write(statement, folder, table, scale, part, files);
                }
            }
        }
        Files.writeString(done, "");
        return folder;
    }

    /** The settings of a service that has the tables as its data sets, by name. */
    public static Map<String, String> settings(Path folder) {
        Map<String, String> settings = new TreeMap<>();
        for (String table : TABLES) {
            settings.put("spillway.datasets." + table + ".format", "parquet");
            settings.put("spillway.datasets." + table + ".paths[0]", glob(folder, table));
        }
        return settings;
    }

    /** Statements by which a DuckDB has the tables as views. */
    public static List<String> views(Path folder) {
        return TABLES.stream()
                .map(
                        table ->
                                "CREATE VIEW %s AS SELECT * FROM read_parquet('%s')"
                                        .formatted(table, glob(folder, table).replace("'", "''")))
                .toList();
    }

    /** The files of a table, as a glob. */
    public static String glob(Path folder, String table) {
        return folder.resolve(table).resolve("*.parquet").toString();
    }

    private static String name(TpchTable<?> table) {
        return table.getTableName();
    }

    private static boolean grows(TpchTable<?> table) {
        return !table.equals(TpchTable.NATION) && !table.equals(TpchTable.REGION);
    }

    /** By way of the generator's own text form. */
    private static <E extends TpchEntity> void write(
            Statement statement, Path folder, TpchTable<E> table, double scale, int part, int parts)
            throws IOException, SQLException {
        Path file = folder.resolve(name(table)).resolve("part-%02d.parquet".formatted(part));
        Path text = folder.resolve("%s-%02d.tbl".formatted(name(table), part));
        try (BufferedWriter lines = Files.newBufferedWriter(text)) {
            for (E row : table.createGenerator(scale, part, parts)) {
                lines.write(row.toLine());
                lines.newLine();
            }
        }
        List<String> columns = new ArrayList<>();
        for (TpchColumn<E> column : table.getColumns()) {
            columns.add("'%s': '%s'".formatted(column.getColumnName(), type(column)));
        }
        String names =
                table.getColumns().stream()
                        .map(TpchColumn::getColumnName)
                        .collect(Collectors.joining(", "));
        statement.execute(
                ("COPY (SELECT %s FROM read_csv('%s', delim = '|', header = false, quote = '',"
                                + " columns = {%s, 'rest': 'VARCHAR'})) TO '%s' (FORMAT parquet,"
                                + " COMPRESSION zstd, ROW_GROUP_SIZE %d)")
                        .formatted(
                                names,
                                text,
                                String.join(", ", columns),
                                file,
                                scale < 1 ? 4_096 : 122_880));
        Files.delete(text);
    }

    private static String type(TpchColumn<?> column) {
        return switch (column.getType().getBase()) {
            case IDENTIFIER -> "BIGINT";
            case INTEGER -> column.getColumnName().equals("l_quantity") ? money() : "INTEGER";
            case DOUBLE -> money();
            case DATE -> "DATE";
            case VARCHAR -> "VARCHAR";
        };
    }

    private static String money() {
        return "DECIMAL(15,2)";
    }
}
