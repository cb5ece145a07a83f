package io.spillway.oracle;

import io.spillway.plan.document.Step.JoinKind;
import java.util.List;

/** How much work a plan is. */
final class PlanSize {

    private PlanSize() {}

    /** How many steps look at many rows, those of plans in steps included. */
    static int wideSteps(List<QueryStep> steps) {
        int count = 0;
        for (QueryStep step : steps) {
            count +=
                    switch (step) {
                        case QueryStep.Join(List<QueryStep> with, _, _, _) -> 1 + wideSteps(with);
                        case QueryStep.Union(List<QueryStep> with) -> wideSteps(with);
                        case QueryStep.Aggregate _,
                                QueryStep.Sort _,
                                QueryStep.Distinct _,
                                QueryStep.Window _ ->
                                1;
                        case QueryStep.Explode _,
                                QueryStep.Filter _,
                                QueryStep.Select _,
                                QueryStep.WithColumns _,
                                QueryStep.Rename _,
                                QueryStep.Drop _,
                                QueryStep.RowIndex _,
                                QueryStep.Repartition _,
                                QueryStep.Limit _,
                                QueryStep.Offset _ ->
                                0;
                    };
        }
        return count;
    }

    /**
     * The most rows that a plan can have.
     *
     * @param base rows of the files
     */
    static long rows(List<QueryStep> steps, long base) {
        long rows = base;
        for (QueryStep step : steps) {
            rows = after(step, rows, base);
        }
        return rows;
    }

    private static long after(QueryStep step, long rows, long base) {
        return switch (step) {
            case QueryStep.Limit(long most) -> Math.min(rows, most);
            case QueryStep.Offset(long left) -> Math.max(0, rows - left);
            case QueryStep.Union(List<QueryStep> with) -> rows + rows(with, base);
            case QueryStep.Join join -> {
                long right = rows(join.with(), base);
                yield join.kind() == JoinKind.SEMI || join.kind() == JoinKind.ANTI
                        ? rows
                        : rows * right + rows + right;
            }
            // All lists together have no more elements than the rows they were made of, which is
            // the bound still.
            case QueryStep.Aggregate _,
                    QueryStep.Explode _,
                    QueryStep.Filter _,
                    QueryStep.Select _,
                    QueryStep.WithColumns _,
                    QueryStep.Rename _,
                    QueryStep.Drop _,
                    QueryStep.RowIndex _,
                    QueryStep.Repartition _,
                    QueryStep.Sort _,
                    QueryStep.Distinct _,
                    QueryStep.Window _ ->
                    rows;
        };
    }
}
