package io.spillway.benchmark;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.EOFException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A JVM that answers each line on its standard input with a line on its standard output. Its first
 * line, once it is ready, is its name.
 */
final class CommandProcess implements AutoCloseable {

    private final Process process;
    private final BufferedWriter commands;
    private final BufferedReader answers;
    private final String name;

    CommandProcess(Class<?> main, List<String> args) throws IOException {
        List<String> program = new ArrayList<>(JavaProcess.main(main));
        program.addAll(args);
        process = JavaProcess.builder(program).start();
        commands = process.outputWriter(StandardCharsets.UTF_8);
        answers = process.inputReader(StandardCharsets.UTF_8);
        name = answer();
    }

    /**
     * Where such a JVM writes its answers. They stand alone there: what is logged from now on goes
     * where errors go.
     */
    static PrintStream answers() {
        PrintStream answers = System.out;
        System.setOut(System.err);
        return answers;
    }

    String name() {
        return name;
    }

    long pid() {
        return process.pid();
    }

    String ask(String command) throws IOException {
        commands.write(command);
        commands.newLine();
        commands.flush();
        return answer();
    }

    private String answer() throws IOException {
        String line = answers.readLine();
        if (line == null) {
            throw new EOFException("The process of " + process.info() + " has ended");
        }
        return line;
    }

    @Override
    public void close() throws IOException {
        JavaProcess.stop(process);
    }
}
