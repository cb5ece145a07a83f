package io.spillway.web;

import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.Resource;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** The contract itself. */
@RestController
class OpenApiController {

    private static final MediaType YAML = new MediaType("application", "yaml");

    @GetMapping("/openapi")
    ResponseEntity<Resource> contract() {
        return ResponseEntity.ok()
                .contentType(YAML)
                .body(new ClassPathResource("openapi/spillway.yaml"));
    }
}
