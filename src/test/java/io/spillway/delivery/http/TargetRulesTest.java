package io.spillway.delivery.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TargetRulesTest {

    private static final TargetRules PUBLIC = new TargetRules(true, List.of());

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://127.0.0.1:9009",
                "http://127.1.2.3",
                "http://[::1]:9009",
                "http://0x7f000001:9009",
                "http://0x7f.0.0.1:9009",
                "http://0177.0.0.1:9009",
                "http://2130706433:9009",
                "http://0x7f.1:9009",
                "http://127.0.0.0x1:9009",
                "http://a.1:9009",
                "http://127.1:9009",
                "http://127.0.1:9009",
                "http://127.0.0.1.:9009",
                "http://[::ffff:127.0.0.1]:9009",
                "http://[::ffff:7f00:1]:9009",
                "http://[::127.0.0.1]:9009",
                "http://[0:0:0:0:0:ffff:7f00:0001]",
                "http://[64:ff9b::127.0.0.1]",
                "http://[64:ff9b::a00:1]",
                "http://[2002:7f00:1::]",
                "http://[fe80::1]",
                "http://[fe80::1%25lo]:9009",
                "http://[::1%25lo]:9009",
                "http://[fd00::1]",
                "http://[::]:9009",
                "http://[ff02::1]",
                "http://[5f00::1]",
                "http://0.0.0.0:9009",
                "http://0:9009",
                "http://10.0.0.1",
                "http://172.16.0.1",
                "http://192.168.1.1",
                "http://100.64.0.1",
                "http://169.254.169.254",
                "http://168.63.129.16",
                "http://192.0.2.1",
                "http://198.18.0.1",
                "http://224.0.0.1",
                "http://255.255.255.255",
                "file:///etc/passwd",
                "ftp://example.com/",
                "gopher://example.com:70/",
                "http:example.com",
                "http:///path",
                "//example.com/",
                "/path",
                "http://user:pass@example.com/",
                "http://user@example.com/",
                "http://example.com@127.0.0.1/",
                "http://example.com/#fragment",
                "http://example.com:0/",
                "http://example.com:65536/",
                "http://example.com:99999999/",
                "http://%31%32%37.0.0.1/",
                "http://exa_mple../"
            })
    void refusesWhatIsNoPublicAddress(String url) {
        assertThatThrownBy(() -> PUBLIC.check(URI.create(url)))
                .isInstanceOfSatisfying(
                        SpillwayException.class,
                        e -> {
                            assertThat(e.code()).isEqualTo(ErrorCode.TARGET_NOT_ALLOWED);
                            assertThat(e.getMessage()).doesNotContainIgnoringCase("loopback");
                            assertThat(e.context()).isEmpty();
                        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://example.com/",
                "HTTPS://EXAMPLE.com:443/a?b=c",
                "https://8.8.8.8/",
                "https://[2606:4700:4700::1111]/",
                "https://[64:ff9b::808:808]/",
                "https://xn--bcher-kva.example/",
                "https://example.com./"
            })
    void takesNamesAndPublicAddresses(String url) {
        assertThatCode(() -> PUBLIC.check(URI.create(url))).doesNotThrowAnyException();
    }

    @Test
    void takesNoRequestInClearUnlessAllowed() {
        TargetRules strict = new TargetRules(false, List.of("127.0.0.1"));

        assertThatThrownBy(() -> strict.check(URI.create("http://127.0.0.1/")))
                .isInstanceOf(SpillwayException.class)
                .hasMessage("The URL must begin with https://");
        assertThatCode(() -> strict.check(URI.create("https://127.0.0.1/")))
                .doesNotThrowAnyException();
    }

    @Test
    void takesWhatIsAllowedAndNoMore() {
        TargetRules rules =
                new TargetRules(
                        true,
                        List.of("10.0.0.0/8", "192.168.1.7", "[::1]", "fd00::/8", "Db.Local."));

        for (String allowed :
                List.of(
                        "http://10.255.0.1/",
                        "http://[::ffff:10.0.0.1]/",
                        "http://192.168.1.7:81/",
                        "http://[::1]/",
                        "http://[fd12::1]/",
                        "http://db.local/")) {
            assertThatCode(() -> rules.check(URI.create(allowed)))
                    .as(allowed)
                    .doesNotThrowAnyException();
        }
        for (String refused :
                List.of("http://11.0.0.1:0/", "http://192.168.1.8/", "http://127.0.0.1/")) {
            assertThatThrownBy(() -> rules.check(URI.create(refused)))
                    .as(refused)
                    .isInstanceOf(SpillwayException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "10.0.0.0/33", "::ffff:0:0/200", "a b", "http://a/", "*.b.c"})
    void doesNotStartWithEntriesThatMeanNothing(String entry) {
        assertThatThrownBy(() -> new TargetRules(true, List.of(entry)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aNameMayBeAllowedWhateverItResolvesTo() throws UnknownHostException {
        AddressRules rules = AddressRules.of(List.of("db.local"));
        InetAddress inside = InetAddress.ofLiteral("127.0.0.1");

        assertThat(rules.allows("DB.local", inside)).isTrue();
        assertThat(rules.allows("db.local.", inside)).isTrue();
        assertThat(rules.allows("other.local", inside)).isFalse();
        assertThat(rules.allows("a.db.local", inside)).isFalse();
    }

    /** Addresses as resolvers make them: of six bytes and more, whatever they contain. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "00000000000000000000ffff7f000001",
                "00000000000000000000ffff08080808",
                "0000000000000000000000007f000001",
                "00000000000000000000000008080808",
                "0064ff9b0000000000000000c0a80101",
                "0064ff9b00010000000000000a000001",
                "20027f00000100000000000000000000",
                "fec00000000000000000000000000001"
            })
    void refusesAddressesThatContainOthers(String hex) throws UnknownHostException {
        InetAddress address =
                Inet6Address.getByAddress("name.example", HexFormat.of().parseHex(hex), -1);

        assertThat(address).isInstanceOf(Inet6Address.class);
        assertThat(AddressRules.of(List.of()).allows("name.example", address)).isFalse();
    }
}
