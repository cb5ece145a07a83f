package io.spillway;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication
public class SpillwayApplication {
    public static void main(String[] args) {
        SpringApplication.run(SpillwayApplication.class, args);
    }
}
