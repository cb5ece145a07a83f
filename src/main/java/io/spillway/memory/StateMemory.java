package io.spillway.memory;

/** Memory that an operator's state grows into, as far as there is any. */
public interface StateMemory {

    /**
     * Asks for more.
     *
     * @return false if it is not to be had now; nothing is taken then
     */
    boolean tryGrow(long bytes);

    /**
     * Gives some back.
     *
     * @param bytes no more than was taken
     */
    void shrink(long bytes);
}
