package io.spillway.plan.logical;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.util.SqlShuttle;

/**
 * Lists of IN as comparisons. Calcite takes such a list for a sub-query, and looks for those
 * everywhere but in what windows are partitioned and ordered by.
 */
final class InLists extends SqlShuttle {

    private static final InLists INSTANCE = new InLists();

    private InLists() {}

    /** The same without lists. */
    static SqlNode expanded(SqlNode expression) {
        SqlNode expanded = expression.accept(INSTANCE);
        return expanded == null ? expression : expanded;
    }

    @Override
    public SqlNode visit(SqlCall call) {
        SqlNode inner = super.visit(call);
        if (!(inner instanceof SqlCall in)
                || !(in.getKind() == SqlKind.IN || in.getKind() == SqlKind.NOT_IN)
                || !(in.operand(1) instanceof SqlNodeList list)) {
            return inner == null ? call : inner;
        }
        SqlParserPos place = in.getParserPosition();
        List<SqlNode> comparisons = new ArrayList<>();
        for (SqlNode item : list) {
            comparisons.add(
                    SqlStdOperatorTable.EQUALS.createCall(place, in.operand(0).clone(place), item));
        }
        SqlNode any = any(comparisons, place);
        return in.getKind() == SqlKind.IN ? any : SqlStdOperatorTable.NOT.createCall(place, any);
    }

    /** As shallow as it can be: lists may be long. */
    private static SqlNode any(List<SqlNode> conditions, SqlParserPos place) {
        int size = conditions.size();
        return size == 1
                ? conditions.getFirst()
                : SqlStdOperatorTable.OR.createCall(
                        place,
                        any(conditions.subList(0, size / 2), place),
                        any(conditions.subList(size / 2, size), place));
    }
}
