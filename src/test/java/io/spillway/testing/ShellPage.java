package io.spillway.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A page of documentation with commands, which are run as they stand there but for the port. */
public final class ShellPage {

    private static final Pattern FENCED = Pattern.compile("```sh\n(.*?)```", Pattern.DOTALL);

    private final List<String> blocks;
    private final int port;

    /**
     * Reads the page.
     *
     * @param path from the project's top folder
     * @param port of the service that takes the place of the one on 8080
     */
    public ShellPage(String path, int port) throws IOException {
        Matcher fenced = FENCED.matcher(Files.readString(Path.of(path)));
        this.blocks = fenced.results().map(match -> match.group(1)).toList();
        this.port = port;
    }

    /** The one block that has a text in it. */
    public String block(String text) {
        List<String> found = blocks.stream().filter(block -> block.contains(text)).toList();
        assertThat(found).as("blocks with " + text).hasSize(1);
        return found.getFirst();
    }

    /**
     * What the one block with a text in it prints.
     *
     * @param job what {@code $JOB} is
     */
    public String run(String text, String job) throws IOException, InterruptedException {
        return run(text, Map.of("JOB", job));
    }

    /**
     * What the one block with a text in it prints.
     *
     * @param variables of the shell, by name
     */
    public String run(String text, Map<String, String> variables)
            throws IOException, InterruptedException {
        return run(text, variables, Path.of("").toAbsolutePath());
    }

    /**
     * What the one block with a text in it prints.
     *
     * @param variables of the shell, by name
     * @param folder where it runs
     */
    public String run(String text, Map<String, String> variables, Path folder)
            throws IOException, InterruptedException {
        String commands = block(text).replace("localhost:8080", "localhost:" + port);
        ProcessBuilder shell = new ProcessBuilder("bash", "-euc", commands);
        shell.directory(folder.toFile());
        shell.environment().putAll(variables);
        shell.redirectError(ProcessBuilder.Redirect.INHERIT);
        Process process = shell.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(output).isZero();
        return output;
    }
}
