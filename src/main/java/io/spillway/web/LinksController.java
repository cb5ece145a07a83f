package io.spillway.web;

import io.spillway.delivery.PullLinks;
import io.spillway.delivery.PullLinks.Linked;
import io.spillway.encode.JsonFormat.Layout;
import io.spillway.encode.RowFormat;
import io.spillway.job.JobPart;
import io.spillway.job.JobService;
import io.spillway.job.Reading;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpHeaders;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Batches of deliveries, fetched by receivers that were sent a link to them. */
@RestController
class LinksController {

    private static final List<RowMedia> FORMS =
            List.of(RowMedia.NDJSON, RowMedia.CSV, RowMedia.ARROW);

    private static final Set<String> KNOWN = known();

    private final PullLinks links;
    private final JobService jobs;
    private final StreamResponder streams;
    private final Blocking blocking;
    private final WebSettings settings;

    LinksController(
            PullLinks links,
            JobService jobs,
            StreamResponder streams,
            Blocking blocking,
            WebSettings settings) {
        this.links = links;
        this.jobs = jobs;
        this.streams = streams;
        this.blocking = blocking;
        this.settings = settings;
    }

    private static Set<String> known() {
        Set<String> known = new HashSet<>(RowForm.PARAMETERS);
        known.addAll(Set.of("format", "wait"));
        return Set.copyOf(known);
    }

    /** Whoever has the link may. */
    @GetMapping("/v1/links/{link}")
    Mono<Void> follow(ServerWebExchange exchange, @PathVariable String link) {
        Parameters parameters = new Parameters(exchange.getRequest().getQueryParams(), KNOWN);
        RowMedia media =
                RowMedia.of(
                        parameters.text("format"),
                        exchange.getRequest().getHeaders().get(HttpHeaders.ACCEPT),
                        FORMS);
        RowForm form = RowForm.of(parameters);
        return blocking.call(() -> links.follow(link))
                .flatMap(
                        linked ->
                                blocking.defer(
                                        () -> respond(linked, media, form, parameters, exchange)))
                .takeUntilOther(
                        NettyResponses.closed(
                                NettyResponses.channel(
                                        NettyResponses.server(exchange.getResponse()))));
    }

    private Mono<Void> respond(
            Linked linked,
            RowMedia media,
            RowForm form,
            Parameters parameters,
            ServerWebExchange exchange) {
        HttpHeaders headers = exchange.getResponse().getHeaders();
        headers.add(HttpHeaders.VARY, HttpHeaders.ACCEPT);
        headers.setCacheControl(CacheControl.noStore());
        long first = linked.firstRow();
        Reading reading = Reading.rows(first, first + linked.rows(), format(media, form));
        JobPart part = JobPart.all(linked.job());
        return streams.respond(
                part,
                StreamAnswer.ofRows(media, reading, parameters.wait(settings)),
                new ChunkFlux(() -> jobs.read(part, reading)),
                exchange);
    }

    private static RowFormat format(RowMedia media, RowForm form) {
        return switch (media) {
            case NDJSON -> form.json(Layout.LINES);
            case CSV -> form.csv();
            case ARROW -> form.arrow();
            case JSON, EVENTS -> throw new IllegalStateException("no form of a linked batch");
        };
    }
}
