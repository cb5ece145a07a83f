package io.spillway.config;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/** The folder of what this process keeps. */
final class Home {

    private Home() {}

    /** The home, absolute; made if it is missing. */
    static Path make(Path home) {
        Path folder = home.toAbsolutePath().normalize();
        try {
            return Files.createDirectories(folder, privateToOwner());
        } catch (IOException e) {
            throw new StartupException(
                    "The home " + folder + " cannot be made: " + e,
                    "Set spillway.home to a folder that can be written.",
                    e);
        }
    }

    /** The keys that sign tokens are in it, and rows: nobody else has to look into it. */
    private static FileAttribute<?>[] privateToOwner() {
        boolean posix = FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
        return posix
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(
                            PosixFilePermissions.fromString("rwx------"))
                }
                : new FileAttribute<?>[0];
    }
}
