package io.spillway;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.testing.SpillwayServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples of docs/formats.md: its files, read by its plans, give its rows. */
class FormatsPageTest {

    private static final Pattern BLOCK =
            Pattern.compile("```(\\w+)(?: (\\S+))?\\n(.*?)\\n```", Pattern.DOTALL);

    @Test
    void plansGiveTheRowsThatStandBelowThem(@TempDir Path root) throws IOException {
        int examples = 0;
        try (SpillwayServer server = SpillwayServer.builder().root(root).start()) {
            Matcher block = BLOCK.matcher(Files.readString(Path.of("docs", "formats.md")));
            String plan = "";
            while (block.find()) {
                String text = block.group(3);
                if (block.group(2) != null) {
                    Files.writeString(root.resolve(block.group(2)), text + "\n");
                } else if (block.group(1).equals("json")) {
                    plan = text.replace("/lake/", root + "/");
                } else {
                    assertThat(server.ndjson(plan)).containsExactly(text.split("\n"));
                    examples++;
                }
            }
        }
        assertThat(examples).isEqualTo(3);
    }
}
