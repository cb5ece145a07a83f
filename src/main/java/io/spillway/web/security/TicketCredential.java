package io.spillway.web.security;

import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.AbstractAuthenticationToken;
import org.springframework.security.core.authority.AuthorityUtils;

/** A ticket that a caller presents for the streams of a job, not checked yet. */
final class TicketCredential extends AbstractAuthenticationToken {

    private final String ticket;
    private final String jobId;

    TicketCredential(String ticket, String jobId) {
        super(AuthorityUtils.NO_AUTHORITIES);
        this.ticket = ticket;
        this.jobId = jobId;
    }

    /** The job whose streams are asked for. */
    String jobId() {
        return jobId;
    }

    @Override
    public Object getPrincipal() {
        return "";
    }

    @Override
    public String getCredentials() {
        return ticket;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof TicketCredential that
                && ticket.equals(that.ticket)
                && jobId.equals(that.jobId);
    }

    @Override
    public int hashCode() {
        return ticket.hashCode();
    }
}
