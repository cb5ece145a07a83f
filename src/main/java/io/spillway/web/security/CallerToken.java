package io.spillway.web.security;

import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.AbstractAuthenticationToken;
import org.springframework.security.core.authority.AuthorityUtils;

/** A caller who has proved to be an owner; {@link #getName()} is the owner. */
final class CallerToken extends AbstractAuthenticationToken {

    private final String owner;

    CallerToken(String owner) {
        super(AuthorityUtils.NO_AUTHORITIES);
        this.owner = owner;
        setAuthenticated(true);
    }

    @Override
    public Object getPrincipal() {
        return owner;
    }

    /** Empty: a credential is not kept once it is checked. */
    @Override
    public Object getCredentials() {
        return "";
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof CallerToken that && owner.equals(that.owner);
    }

    @Override
    public int hashCode() {
        return owner.hashCode();
    }
}
