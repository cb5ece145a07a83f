package io.spillway.benchmark;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** DuckDB by JDBC, in a process of its own. */
final class DuckDbContender implements Contender {

    private final Process process;
    private final BufferedWriter commands;
    private final BufferedReader answers;
    private final String version;

    DuckDbContender(int threads, String glob) throws IOException {
        List<String> program = new ArrayList<>(JavaProcess.main(DuckDbServer.class));
        program.add(Integer.toString(threads));
        program.add(glob);
        process = JavaProcess.builder(program).start();
        commands = process.outputWriter(StandardCharsets.UTF_8);
        answers = process.inputReader(StandardCharsets.UTF_8);
        version = answer();
    }

    private String ask(String command) throws IOException {
        commands.write(command);
        commands.newLine();
        commands.flush();
        return answer();
    }

    private String answer() throws IOException {
        String line = answers.readLine();
        if (line == null) {
            throw new EOFException("DuckDB's process has ended");
        }
        return line;
    }

    @Override
    public String name() {
        return "DuckDB " + version + ", JDBC";
    }

    @Override
    public Streamed stream() throws IOException {
        String[] numbers = ask("stream").split(" ", -1);
        return new Streamed(
                Long.parseLong(numbers[0]), Long.parseLong(numbers[1]), Long.parseLong(numbers[2]));
    }

    @Override
    public long firstRow() throws IOException {
        return Long.parseLong(ask("first"));
    }

    @Override
    public long page(long offset) throws IOException {
        return Long.parseLong(ask("page " + offset));
    }

    @Override
    public long pid() {
        return process.pid();
    }

    @Override
    public void close() throws IOException {
        JavaProcess.stop(process);
    }
}
