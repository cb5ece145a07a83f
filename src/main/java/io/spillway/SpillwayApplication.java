package io.spillway;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** The service. */
@SpringBootApplication
public class SpillwayApplication {

    static {
        // Read once, when the classes that they are for load.
        // By default 128 buffers are taken ahead of each connection, which a slow reader would keep
        // in memory.
        System.setProperty("reactor.netty.send.maxPrefetchSize", "4");
        // By default an event loop may see to one fast connection for a second before it looks at
        // the others.
        System.setProperty("io.netty.eventLoop.maxTaskProcessingQuantumMs", "100");
    }

    public static void main(String[] args) {
        SpringApplication.run(SpillwayApplication.class, args);
    }
}
