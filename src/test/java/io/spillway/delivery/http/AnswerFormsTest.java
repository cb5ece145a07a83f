package io.spillway.delivery.http;

import static io.spillway.delivery.http.Posts.LOCAL;
import static io.spillway.delivery.http.Posts.NO_SECRETS;
import static io.spillway.delivery.http.Posts.endpoint;
import static io.spillway.delivery.http.Posts.post;
import static io.spillway.delivery.http.Posts.send;
import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.testing.Receiver;
import io.spillway.testing.Reply;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers in all forms that HTTP/1.1 has; ends of lines are written as |. */
class AnswerFormsTest {

    private static Answer answer(String form) throws Exception {
        try (Receiver receiver = Receiver.start();
                Sender sender = new Sender(LOCAL, NO_SECRETS)) {
            receiver.always(Reply.raw(form.replace("|", "\r\n")));
            return send(sender, endpoint(receiver.uri("/")), post("x"));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.0 200 OK||body",
                "HTTP/1.1 200 OK|Connection: close||body",
                "HTTP/1.1 200 OK|Transfer-Encoding: chunked||2|bo|2;x=y|dy|0|T: x||",
                "HTTP/1.1 100 Continue||HTTP/1.1 200 OK|Content-Length: 4||body",
                "HTTP/1.1 200|Content-Length: 4|Content-Encoding: unknown||body"
            })
    void withABody(String form) throws Exception {
        assertThat(answer(form))
                .isInstanceOfSatisfying(
                        Answer.Response.class,
                        response -> {
                            assertThat(response.status()).isEqualTo(200);
                            assertThat(response.body()).asString().isEqualTo("body");
                        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 204 No Content||",
                "HTTP/1.1 304 Not Modified|Content-Length: 10||",
                "HTTP/1.1 103 Early Hints|Link: x||HTTP/1.1 200 OK|Content-Length: 0||"
            })
    void withoutABody(String form) throws Exception {
        assertThat(answer(form))
                .isInstanceOfSatisfying(
                        Answer.Response.class, response -> assertThat(response.body()).isEmpty());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 200 OK|Content-Length: 4|Content-Encoding: gzip||body",
                "HTTP/1.1 200 OK|Content-Length: 4|Content-Encoding: deflate||body"
            })
    void withABodyThatIsNotWhatItSays(String form) throws Exception {
        assertThat(answer(form))
                .isInstanceOfSatisfying(
                        Answer.Response.class,
                        response -> {
                            assertThat(response.body()).isEmpty();
                            assertThat(response.truncated()).isTrue();
                        });
    }
}
