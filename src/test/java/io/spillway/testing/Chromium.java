package io.spillway.testing;

import com.google.common.base.Splitter;
import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The machine's own Chromium, without a window. */
public final class Chromium implements AutoCloseable {

    private final Playwright playwright;
    private final Browser browser;

    private Chromium(Playwright playwright, Browser browser) {
        this.playwright = playwright;
        this.browser = browser;
    }

    /**
     * Starts one.
     *
     * @throws AssertionError if there is none on the PATH
     */
    public static Chromium start() {
        Path program = program();
        Playwright playwright =
                Playwright.create(
                        new Playwright.CreateOptions()
                                .setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
        Browser browser =
                playwright
                        .chromium()
                        .launch(
                                new BrowserType.LaunchOptions()
                                        .setExecutablePath(program)
                                        .setArgs(List.of("--no-sandbox")));
        return new Chromium(playwright, browser);
    }

    private static Path program() {
        for (String place : Splitter.on(File.pathSeparator).split(System.getenv("PATH"))) {
            for (String name : List.of("chromium", "chromium-browser", "google-chrome")) {
                Path program = Path.of(place, name);
                if (Files.isExecutable(program)) {
                    return program;
                }
            }
        }
        throw new AssertionError("There is no Chromium on the PATH: install the package chromium");
    }

    /** An empty page. */
    public Page page() {
        return browser.newPage();
    }

    @Override
    public void close() {
        browser.close();
        playwright.close();
    }
}
