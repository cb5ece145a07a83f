package io.spillway.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A page of documentation with commands, which are run as they stand there but for the port. */
public final class ShellPage {

    private final Path path;
    private final String text;
    private final int port;

    /**
     * Reads the page.
     *
     * @param path from the project's top folder
     * @param port of the service that takes the place of the one on 8080
     */
    public ShellPage(String path, int port) throws IOException {
        this(Path.of(path), Files.readString(Path.of(path)), port);
    }

    private ShellPage(Path path, String text, int port) {
        this.path = path;
        this.text = text;
        this.port = port;
    }

    /** The same page with another text in place of one, such as the URL of a server. */
    public ShellPage with(String text, String other) {
        return new ShellPage(path, this.text.replace(text, other), port);
    }

    /** The one block of commands that has a text in it. */
    public String block(String part) {
        return block("sh", part);
    }

    private String block(String language, String part) {
        Matcher fenced =
                Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL).matcher(text);
        List<String> found =
                fenced.results()
                        .map(match -> match.group(1))
                        .filter(block -> block.contains(part))
                        .toList();
        assertThat(found).as("blocks of %s with %s", path, part).hasSize(1);
        return found.getFirst();
    }

    /**
     * What the one block with a text in it prints.
     *
     * @param job what {@code $JOB} is
     */
    public String run(String part, String job) throws IOException, InterruptedException {
        return run(part, Map.of("JOB", job));
    }

    /**
     * What the one block with a text in it prints.
     *
     * @param variables of the shell, by name
     */
    public String run(String part, Map<String, String> variables)
            throws IOException, InterruptedException {
        return run(part, variables, Path.of("").toAbsolutePath());
    }

    /**
     * What the one block with a text in it prints.
     *
     * @param variables of the shell, by name
     * @param folder where it runs
     */
    public String run(String part, Map<String, String> variables, Path folder)
            throws IOException, InterruptedException {
        return run(List.of("bash", "-euc"), block(part), variables, folder);
    }

    /**
     * What the one Python program with a text in it prints; it has what the tests' requirements
     * name.
     *
     * @param job what {@code JOB} is in its environment
     */
    public String python(String part, String job) throws IOException, InterruptedException {
        String python = System.getProperty("spillway.python", "python3");
        return run(
                List.of(python, "-c"),
                block("python", part),
                Map.of("JOB", job),
                Path.of("").toAbsolutePath());
    }

    private String run(
            List<String> interpreter, String program, Map<String, String> variables, Path folder)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(interpreter);
        command.add(program.replace("localhost:8080", "localhost:" + port));
        ProcessBuilder shell = new ProcessBuilder(command);
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
