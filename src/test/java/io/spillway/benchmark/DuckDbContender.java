package io.spillway.benchmark;

import java.io.IOException;
import java.util.List;

/** DuckDB in a process of its own: {@link DuckDbServer}. */
final class DuckDbContender implements Contender {

    private final CommandProcess process;

    /**
     * @param threads that DuckDB uses
     * @param glob the files
     */
    DuckDbContender(int threads, String glob) throws IOException {
        process = new CommandProcess(DuckDbServer.class, List.of(Integer.toString(threads), glob));
    }

    @Override
    public String name() {
        return process.name() + ", JDBC";
    }

    @Override
    public Streamed stream() throws IOException {
        String[] numbers = process.ask("stream").split(" ", -1);
        return new Streamed(
                Long.parseLong(numbers[0]), Long.parseLong(numbers[1]), Long.parseLong(numbers[2]));
    }

    @Override
    public long firstRow() throws IOException {
        return Long.parseLong(process.ask("first"));
    }

    @Override
    public long page(long offset) throws IOException {
        return Long.parseLong(process.ask("page " + offset));
    }

    @Override
    public long pid() {
        return process.pid();
    }

    @Override
    public void close() throws IOException {
        process.close();
    }
}
