package io.spillway;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** The service. */
@SpringBootApplication
public class SpillwayApplication {

    static {
        // Reactor Netty reads this once, when it loads. By default it takes 128 buffers ahead of
        // each connection, which a slow reader
        // would keep in memory.
        System.setProperty("reactor.netty.send.maxPrefetchSize", "4");
    }

    public static void main(String[] args) {
        SpringApplication.run(SpillwayApplication.class, args);
    }
}
