package io.spillway.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.testing.HttpAnswer;
import io.spillway.testing.SpillwayServer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/** Tickets: one job's streams, for a while, and nothing else. */
class TicketsTest {

    private static final String JSON = "application/json";
    private static final Map<String, String> ALICE =
            Map.of("X-API-Key", "alice-secret", "Content-Type", JSON, "Accept", JSON);

    private static SpillwayServer.Builder service() {
        return SpillwayServer.builder()
                .dataset("flights", Path.of("samples/flights-3m.parquet").toAbsolutePath());
    }

    private static SpillwayServer.Builder guarded() throws Exception {
        byte[] hash =
                MessageDigest.getInstance("SHA-256")
                        .digest("alice-secret".getBytes(StandardCharsets.UTF_8));
        return service()
                .set("spillway.security.mode", "api-key")
                .set("spillway.security.api-keys[0].name", "alice")
                .set(
                        "spillway.security.api-keys[0].hash",
                        "sha256:" + HexFormat.of().formatHex(hash));
    }

    private static String submit(SpillwayServer server) {
        HttpAnswer made =
                server.http()
                        .call(
                                "POST",
                                "/v1/jobs",
                                ALICE,
                                "{\"plan\": {\"from\": {\"dataset\": \"flights\"}}}");
        assertThat(made.status()).as(made.text()).isEqualTo(201);
        return made.header("Location").orElseThrow();
    }

    private static String ticket(SpillwayServer server, String job) {
        HttpAnswer issued = server.http().call("POST", job + ":ticket", ALICE, "");
        assertThat(issued.status()).as(issued.text()).isEqualTo(200);
        assertThat(issued.header("Cache-Control")).contains("no-store");
        return new JsonMapper().readTree(issued.text()).get("ticket").stringValue();
    }

    private static HttpAnswer get(SpillwayServer server, String path) {
        return server.http().get(path, JSON);
    }

    @Test
    void aTicketOpensTheRowsOfItsJobAndNothingElse() throws Exception {
        try (SpillwayServer server = guarded().start()) {
            String job = submit(server);
            String ticket = ticket(server, job);
            HttpAnswer rows = get(server, job + "/rows?limit=3&ticket=" + ticket);
            assertThat(rows.status()).as(rows.text()).isEqualTo(200);
            assertThat(rows.text()).doesNotContain(ticket);

            for (String refused :
                    List.of(
                            job + "/rows?limit=3",
                            job + "/rows?ticket=",
                            job + "/rows?ticket=" + ticket + "&ticket=" + ticket,
                            job + "/rows?ticket=" + ticket.substring(1),
                            job + "/rows?ticket=" + changed(ticket),
                            job + "/events?ticket=" + changed(ticket),
                            job + "?ticket=" + ticket,
                            job + "/plan?ticket=" + ticket,
                            submit(server) + "/rows?ticket=" + ticket,
                            "/v1/jobs?ticket=" + ticket)) {
                HttpAnswer answer = get(server, refused);
                assertThat(answer.status()).as(refused).isEqualTo(401);
                assertThat(answer.text()).contains("unauthenticated").doesNotContain(ticket);
            }
            // Not by the header that it goes on in, nor beside another credential.
            assertThat(
                            server.http()
                                    .call(
                                            "GET",
                                            job + "/rows?limit=1",
                                            Map.of("Spillway-Ticket", ticket),
                                            null)
                                    .status())
                    .isEqualTo(401);
            assertThat(
                            server.http()
                                    .call("GET", job + "/rows?ticket=" + ticket, ALICE, null)
                                    .status())
                    .isEqualTo(401);
            assertThat(
                            server.http()
                                    .call("DELETE", job + "?ticket=" + ticket, Map.of(), null)
                                    .status())
                    .isEqualTo(401);
        }
    }

    private static String changed(String ticket) {
        int middle = ticket.length() / 2;
        char other = ticket.charAt(middle) == 'A' ? 'B' : 'A';
        return ticket.substring(0, middle) + other + ticket.substring(middle + 1);
    }

    @Test
    void aTicketExpires() throws Exception {
        try (SpillwayServer server = guarded().set("spillway.security.ticket-life", "1s").start()) {
            String job = submit(server);
            String ticket = ticket(server, job);
            Thread.sleep(1_100);
            assertThat(get(server, job + "/rows?limit=1&ticket=" + ticket).status()).isEqualTo(401);
        }
    }

    @Test
    void ticketsWorkWhereNobodyNeedsACredentialToo() {
        try (SpillwayServer server = service().start()) {
            String job = submit(server);
            String ticket = ticket(server, job);
            assertThat(get(server, job + "/rows?limit=1&ticket=" + ticket).status()).isEqualTo(200);
            assertThat(get(server, job + "/rows?limit=1&ticket=" + changed(ticket)).status())
                    .isEqualTo(401);
            assertThat(get(server, job + "/rows?limit=1").status()).isEqualTo(200);
        }
    }
}
