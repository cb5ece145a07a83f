package io.spillway.web;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.spillway.encode.ShortReason;
import io.spillway.group.Group;
import io.spillway.group.Lease;
import org.jspecify.annotations.Nullable;

/**
 * A leased batch as its holder sees it. A batch that a cap made has no number: the borders of those
 * before it depend on their rows.
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record LeaseDocument(
        String lease,
        @Nullable Long batch,
        long firstRow,
        long rowCount,
        @Nullable String shortReason,
        long generation,
        long epoch,
        long attempt,
        String expiresAt,
        String rows) {

    /**
     * A lease.
     *
     * @param token what its holder shows when it uses it
     */
    static LeaseDocument of(Group group, Lease lease, String token) {
        long firstRow = lease.ref().firstRow();
        ShortReason reason = lease.shortReason();
        return new LeaseDocument(
                token,
                group.batch().isCapped() ? null : Long.valueOf(firstRow / group.batch().rows()),
                firstRow,
                lease.rowCount(),
                reason == null ? null : reason.word(),
                lease.ref().generation(),
                lease.ref().epoch(),
                lease.attempt(),
                lease.expiresAt().toString(),
                "/v1/jobs/%s/rows?offset=%d&limit=%d"
                        .formatted(group.job(), firstRow, lease.rowCount()));
    }
}
