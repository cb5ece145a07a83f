package io.spillway.web.security;

import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.AbstractAuthenticationToken;
import org.springframework.security.core.authority.AuthorityUtils;

/** An API key that a caller presents, not checked yet. */
final class ApiKeyCredential extends AbstractAuthenticationToken {

    private final String key;

    ApiKeyCredential(String key) {
        super(AuthorityUtils.NO_AUTHORITIES);
        this.key = key;
    }

    @Override
    public Object getPrincipal() {
        return "";
    }

    @Override
    public String getCredentials() {
        return key;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ApiKeyCredential that && key.equals(that.key);
    }

    @Override
    public int hashCode() {
        return key.hashCode();
    }
}
