package io.spillway.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.plan.document.PlanLimits;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.test.context.ConfigDataApplicationContextInitializer;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.util.unit.DataSize;

/** Every default, every setting by name, and what is refused. */
class SpillwayPropertiesTest {

    // Without @Configuration, so that the service does not find it where tests are on its class
    // path.
    @EnableConfigurationProperties(SpillwayProperties.class)
    static class Settings {}

    private final ApplicationContextRunner bare =
            new ApplicationContextRunner().withUserConfiguration(Settings.class);

    @Test
    void defaults() {
        bare.run(
                context ->
                        assertThat(context.getBean(SpillwayProperties.class))
                                .isEqualTo(
                                        new SpillwayProperties(
                                                Path.of("spillway-home"),
                                                new SpillwayProperties.Sources(
                                                        List.of(),
                                                        new SpillwayProperties.Hadoop(
                                                                List.of("s3", "s3a", "hdfs"),
                                                                Map.of(),
                                                                List.of(),
                                                                64)),
                                                Map.of(),
                                                new SpillwayProperties.Memory(null, null),
                                                new SpillProperties(null, DataSize.ofGigabytes(64)),
                                                new SpoolProperties(
                                                        null, DataSize.ofGigabytes(256)),
                                                new ExportProperties(
                                                        List.of(),
                                                        2,
                                                        1_000,
                                                        DataSize.ofMegabytes(64),
                                                        Duration.ofSeconds(20)),
                                                new GroupProperties(
                                                        Duration.ofSeconds(60),
                                                        Duration.ofHours(24),
                                                        1_000,
                                                        100,
                                                        100_000),
                                                new DeliveryProperties(
                                                        false,
                                                        List.of(),
                                                        2_000,
                                                        10_000,
                                                        Duration.ofSeconds(10),
                                                        256,
                                                        1_000,
                                                        DataSize.ofMegabytes(16),
                                                        1_000,
                                                        Duration.ofHours(1),
                                                        null),
                                                Map.of(),
                                                new SpillwayProperties.Scheduler(null),
                                                new SpillwayProperties.Jobs(
                                                        Duration.ofHours(24),
                                                        Duration.ofDays(30),
                                                        10_000,
                                                        Duration.ofHours(24),
                                                        2048,
                                                        Duration.ofSeconds(60)),
                                                new SpillwayProperties.Store(null, null, null, 8),
                                                new SecurityProperties(
                                                        Set.of(SecurityProperties.Mode.NONE),
                                                        List.of(),
                                                        new SecurityProperties.Jwt(
                                                                null,
                                                                null,
                                                                null,
                                                                List.of(),
                                                                List.of("RS256"),
                                                                "sub"),
                                                        false,
                                                        List.of(),
                                                        Duration.ofHours(1)),
                                                new LimitProperties(
                                                        DataSize.ofMegabytes(16),
                                                        new LimitProperties.Plan(
                                                                DataSize.ofMegabytes(8),
                                                                64,
                                                                200,
                                                                10_000,
                                                                10_000,
                                                                1_000_000,
                                                                100_000,
                                                                200_000,
                                                                200,
                                                                1_000,
                                                                400),
                                                        100_000,
                                                        1_000,
                                                        10_000,
                                                        DataSize.ofMegabytes(16),
                                                        1_000_000,
                                                        Duration.ofMinutes(5),
                                                        Duration.ofSeconds(20),
                                                        Duration.ofSeconds(60)),
                                                new EventProperties(
                                                        100,
                                                        10_000,
                                                        Duration.ofSeconds(15),
                                                        Duration.ofSeconds(2)))));
    }

    @Test
    void planLimitsAreThoseOfThePlanParser() {
        bare.run(
                context ->
                        assertThat(
                                        context.getBean(SpillwayProperties.class)
                                                .limits()
                                                .plan()
                                                .limits())
                                .isEqualTo(PlanLimits.defaults()));
    }

    /** What the commented file says is what holds without it. */
    @Test
    void theFileStatesTheDefaults() {
        bare.run(
                without ->
                        bare.withInitializer(new ConfigDataApplicationContextInitializer())
                                .run(
                                        with -> {
                                            assertThat(
                                                            with.getEnvironment()
                                                                    .getProperty("server.address"))
                                                    .isEqualTo("127.0.0.1");
                                            assertThat(with.getBean(SpillwayProperties.class))
                                                    .isEqualTo(
                                                            without.getBean(
                                                                    SpillwayProperties.class));
                                        }));
    }

    @Test
    void defaultsThatAreWorkedOut() {
        bare.run(
                context -> {
                    SpillwayProperties settings = context.getBean(SpillwayProperties.class);
                    long machine =
                            ((com.sun.management.OperatingSystemMXBean)
                                            ManagementFactory.getOperatingSystemMXBean())
                                    .getTotalMemorySize();
                    assertThat(settings.memory().budgetBytes()).isEqualTo(machine / 2);
                    assertThat(settings.memory().perJobBytes()).isEqualTo(machine / 4);
                    assertThat(settings.scheduler().threadCount())
                            .isEqualTo(Runtime.getRuntime().availableProcessors());
                });
    }

    @Test
    void everySettingByName() {
        bare.withPropertyValues(
                        "spillway.home=/var/lib/spillway",
                        "spillway.sources.roots=/data,file:///more",
                        "spillway.sources.hadoop.schemes=s3a",
                        "spillway.sources.hadoop.properties[fs.s3a.endpoint]=http://store:9000",
                        "spillway.sources.hadoop.parallelism=7",
                        "spillway.datasets.trips.format=parquet",
                        "spillway.datasets.trips.paths=/data/a.parquet,/data/b*.parquet",
                        "spillway.datasets.trips.options.header=true",
                        "spillway.memory.budget=2GB",
                        "spillway.memory.per-job=512MB",
                        "spillway.spill.dir=/fast/spill",
                        "spillway.spill.quota=3GB",
                        "spillway.spool.uri=s3://bucket/spool",
                        "spillway.spool.quota=4GB",
                        "spillway.exports.roots=/out,s3://bucket/out",
                        "spillway.exports.running=23",
                        "spillway.exports.max-open=24",
                        "spillway.exports.row-group=25MB",
                        "spillway.exports.lease=26s",
                        "spillway.groups.lease=27s",
                        "spillway.groups.max-lease=28m",
                        "spillway.groups.max-claim=29",
                        "spillway.groups.max-per-job=30",
                        "spillway.groups.max-ahead=31",
                        "spillway.delivery.allow-http=true",
                        "spillway.delivery.allowed-targets=10.1.0.0/16,hook.local",
                        "spillway.delivery.running=32",
                        "spillway.delivery.max-open=33",
                        "spillway.delivery.lease=34s",
                        "spillway.delivery.max-concurrency=35",
                        "spillway.delivery.max-waiting=36",
                        "spillway.delivery.capture-response=37MB",
                        "spillway.delivery.attempts-kept=38",
                        "spillway.delivery.link-grace=39m",
                        "spillway.delivery.public-url=https://rows.example",
                        "spillway.secrets.embed=sesame",
                        "spillway.scheduler.threads=3",
                        "spillway.jobs.ttl=10m",
                        "spillway.jobs.max-ttl=1h",
                        "spillway.jobs.max-open=5",
                        "spillway.jobs.retention=2h",
                        "spillway.jobs.batch-rows=100",
                        "spillway.store.url=jdbc:postgresql://db/spillway",
                        "spillway.store.username=u",
                        "spillway.store.password=p",
                        "spillway.store.connections=2",
                        "spillway.security.mode=api-key,jwt",
                        "spillway.security.api-keys[0].name=k",
                        "spillway.security.api-keys[0].owner=o",
                        "spillway.security.api-keys[0].hash=sha256:" + "ab".repeat(32),
                        "spillway.security.jwt.issuer-uri=https://issuer",
                        "spillway.security.jwt.jwk-set-uri=https://issuer/keys",
                        "spillway.security.jwt.audiences=spillway",
                        "spillway.security.jwt.algorithms=RS256,ES256",
                        "spillway.security.jwt.owner-claim=client_id",
                        "spillway.security.open=true",
                        "spillway.security.cors-origins=https://app",
                        "spillway.limits.body=1MB",
                        "spillway.limits.plan.bytes=100KB",
                        "spillway.limits.plan.json-depth=1",
                        "spillway.limits.plan.steps=2",
                        "spillway.limits.plan.columns=3",
                        "spillway.limits.plan.paths=4",
                        "spillway.limits.plan.values=5",
                        "spillway.limits.plan.list-values=6",
                        "spillway.limits.plan.expression-nodes=7",
                        "spillway.limits.plan.expression-depth=8",
                        "spillway.limits.plan.name-length=9",
                        "spillway.limits.plan.literal-digits=10",
                        "spillway.limits.files=11",
                        "spillway.limits.page-default=12",
                        "spillway.limits.page-rows=13",
                        "spillway.limits.page-bytes=14KB",
                        "spillway.limits.batch-rows=32",
                        "spillway.limits.stall=15s",
                        "spillway.limits.wait=16s",
                        "spillway.limits.max-wait=17s",
                        "spillway.jobs.linger=18s",
                        "spillway.security.ticket-life=5m",
                        "spillway.events.rows=19",
                        "spillway.events.max-rows=20",
                        "spillway.events.heartbeat=21s",
                        "spillway.events.retry=22s")
                .run(
                        context ->
                                assertThat(context.getBean(SpillwayProperties.class))
                                        .isEqualTo(
                                                new SpillwayProperties(
                                                        Path.of("/var/lib/spillway"),
                                                        new SpillwayProperties.Sources(
                                                                List.of("/data", "file:///more"),
                                                                new SpillwayProperties.Hadoop(
                                                                        List.of("s3a"),
                                                                        Map.of(
                                                                                "fs.s3a.endpoint",
                                                                                "http://store:9000"),
                                                                        List.of(),
                                                                        7)),
                                                        Map.of(
                                                                "trips",
                                                                new SpillwayProperties.Dataset(
                                                                        "parquet",
                                                                        List.of(
                                                                                "/data/a.parquet",
                                                                                "/data/b*.parquet"),
                                                                        Map.of("header", "true"))),
                                                        new SpillwayProperties.Memory(
                                                                DataSize.ofGigabytes(2),
                                                                DataSize.ofMegabytes(512)),
                                                        new SpillProperties(
                                                                Path.of("/fast/spill"),
                                                                DataSize.ofGigabytes(3)),
                                                        new SpoolProperties(
                                                                "s3://bucket/spool",
                                                                DataSize.ofGigabytes(4)),
                                                        new ExportProperties(
                                                                List.of("/out", "s3://bucket/out"),
                                                                23,
                                                                24,
                                                                DataSize.ofMegabytes(25),
                                                                Duration.ofSeconds(26)),
                                                        new GroupProperties(
                                                                Duration.ofSeconds(27),
                                                                Duration.ofMinutes(28),
                                                                29,
                                                                30,
                                                                31),
                                                        new DeliveryProperties(
                                                                true,
                                                                List.of(
                                                                        "10.1.0.0/16",
                                                                        "hook.local"),
                                                                32,
                                                                33,
                                                                Duration.ofSeconds(34),
                                                                35,
                                                                36,
                                                                DataSize.ofMegabytes(37),
                                                                38,
                                                                Duration.ofMinutes(39),
                                                                "https://rows.example"),
                                                        Map.of("embed", "sesame"),
                                                        new SpillwayProperties.Scheduler(3),
                                                        new SpillwayProperties.Jobs(
                                                                Duration.ofMinutes(10),
                                                                Duration.ofHours(1),
                                                                5,
                                                                Duration.ofHours(2),
                                                                100,
                                                                Duration.ofSeconds(18)),
                                                        new SpillwayProperties.Store(
                                                                "jdbc:postgresql://db/spillway",
                                                                "u",
                                                                "p",
                                                                2),
                                                        new SecurityProperties(
                                                                Set.of(
                                                                        SecurityProperties.Mode
                                                                                .API_KEY,
                                                                        SecurityProperties.Mode
                                                                                .JWT),
                                                                List.of(
                                                                        new SecurityProperties.Key(
                                                                                "k",
                                                                                "o",
                                                                                "sha256:"
                                                                                        + "ab"
                                                                                                .repeat(
                                                                                                        32))),
                                                                new SecurityProperties.Jwt(
                                                                        "https://issuer",
                                                                        "https://issuer/keys",
                                                                        null,
                                                                        List.of("spillway"),
                                                                        List.of("RS256", "ES256"),
                                                                        "client_id"),
                                                                true,
                                                                List.of("https://app"),
                                                                Duration.ofMinutes(5)),
                                                        new LimitProperties(
                                                                DataSize.ofMegabytes(1),
                                                                new LimitProperties.Plan(
                                                                        DataSize.ofKilobytes(100),
                                                                        1,
                                                                        2,
                                                                        3,
                                                                        4,
                                                                        5,
                                                                        6,
                                                                        7,
                                                                        8,
                                                                        9,
                                                                        10),
                                                                11,
                                                                12,
                                                                13,
                                                                DataSize.ofKilobytes(14),
                                                                32,
                                                                Duration.ofSeconds(15),
                                                                Duration.ofSeconds(16),
                                                                Duration.ofSeconds(17)),
                                                        new EventProperties(
                                                                19,
                                                                20,
                                                                Duration.ofSeconds(21),
                                                                Duration.ofSeconds(22)))));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            textBlock =
                    """
                    spillway.memory.budget=0B                | spillway.memory.budget must be at least 1B
                    spillway.memory.budget=lots              | 'lots' is not a valid data size
                    spillway.memory.per-job=1000GB           | spillway.memory.per-job must not be over spillway.memory.budget
                    spillway.spill.quota=0B                  | spillway.spill.quota must be at least 1B
                    spillway.spool.quota=0B                  | spillway.spool.quota must be at least 1B
                    spillway.spool.uri=                      | spillway.spool.uri must not be empty
                    spillway.exports.roots=/a,               | spillway.exports.roots must not be empty
                    spillway.exports.running=0               | spillway.exports.running must be at least 1
                    spillway.exports.max-open=-1             | spillway.exports.max-open must not be negative
                    spillway.exports.row-group=0B            | spillway.exports.row-group must be at least 1B
                    spillway.exports.lease=999ms             | spillway.exports.lease must not be under 1s
                    spillway.groups.lease=999ms              | spillway.groups.lease must not be under 1s
                    spillway.groups.lease=25h                | spillway.groups.lease must not be over spillway.groups.max-lease
                    spillway.groups.max-lease=25d            | spillway.groups.max-lease must not be over 24d
                    spillway.groups.max-claim=0              | spillway.groups.max-claim must be at least 1
                    spillway.groups.max-per-job=0            | spillway.groups.max-per-job must be at least 1
                    spillway.groups.max-ahead=0              | spillway.groups.max-ahead must be at least 1
                    spillway.delivery.running=0              | spillway.delivery.running must be at least 1
                    spillway.delivery.lease=999ms            | spillway.delivery.lease must not be under 1s
                    spillway.delivery.max-open=-1            | spillway.delivery.max-open must not be negative
                    spillway.secrets[a/b]=x                  | A name in spillway.secrets has letters, digits, '.', '_' and '-'
                    spillway.limits.batch-rows=0             | spillway.limits.batch-rows must be at least 1
                    spillway.scheduler.threads=0             | spillway.scheduler.threads must be at least 1
                    spillway.jobs.ttl=0s                     | spillway.jobs.ttl must be longer than zero
                    spillway.jobs.ttl=-1s                    | spillway.jobs.ttl must be longer than zero
                    spillway.jobs.ttl=31d                    | spillway.jobs.ttl must not be over spillway.jobs.max-ttl
                    spillway.jobs.max-open=0                 | spillway.jobs.max-open must be at least 1
                    spillway.jobs.retention=0s               | spillway.jobs.retention must be longer than zero
                    spillway.jobs.batch-rows=0               | spillway.jobs.batch-rows must be at least 1
                    spillway.store.url=jdbc:mysql://x        | spillway.store.url must start with jdbc:h2: or jdbc:postgresql:
                    spillway.store.connections=0             | spillway.store.connections must be at least 1
                    spillway.security.mode=password          | No enum constant
                    spillway.security.mode=api-key           | spillway.security.mode 'api-key' and spillway.security.api-keys go together
                    spillway.security.mode=jwt               | spillway.security.mode 'jwt' goes together with
                    spillway.security.mode=none,jwt          | spillway.security.mode 'none' cannot be combined
                    spillway.security.jwt.issuer-uri=https:x | spillway.security.mode 'jwt' goes together with
                    spillway.security.jwt.algorithms=        | spillway.security.jwt.algorithms must not be empty
                    spillway.sources.roots=/data,,/x         | spillway.sources.roots must not be empty
                    spillway.datasets.trips.format=parquet   | A dataset has at least one path
                    spillway.datasets[a/b].paths=/x          | 'a/b' in spillway.datasets is not a name
                    spillway.limits.body=3GB                 | spillway.limits.body must be below 2GB
                    spillway.limits.body=1MB                 | spillway.limits.plan.bytes must not be over spillway.limits.body
                    spillway.limits.plan.json-depth=5000     | The limit 'jsonDepth' must be between 1 and 1000
                    spillway.limits.files=0                  | spillway.limits.files must be at least 1
                    spillway.limits.page-rows=10             | spillway.limits.page-default must not be over spillway.limits.page-rows
                    spillway.limits.page-bytes=0B            | spillway.limits.page-bytes must be at least 1B
                    spillway.limits.batch-rows=0             | spillway.limits.batch-rows must be at least 1
                    spillway.limits.stall=0s                 | spillway.limits.stall must be longer than zero
                    spillway.limits.wait=-1s                 | spillway.limits.wait must not be negative
                    spillway.limits.wait=61s                 | spillway.limits.wait must not be over spillway.limits.max-wait
                    spillway.jobs.linger=-1s                 | spillway.jobs.linger must not be negative
                    spillway.security.ticket-life=0s         | spillway.security.ticket-life must be longer than zero
                    spillway.security.ticket-life=25h        | spillway.security.ticket-life must not be over 24h
                    spillway.memory.budgt=1GB                | spillway.memory.budgt
                    """)
    void wrongValuesStopTheStart(String property, String message) {
        bare.withPropertyValues(property)
                .run(context -> assertThat(context).getFailure().hasStackTraceContaining(message));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "the-key-itself-by-mistake", "sha256:abcd", "md5:9f86d081884c7d65"})
    void anApiKeyIsConfiguredByItsHash(String hash) {
        bare.withPropertyValues(
                        "spillway.security.mode=api-key",
                        "spillway.security.api-keys[0].name=a",
                        "spillway.security.api-keys[0].hash=" + hash)
                .run(
                        context ->
                                assertThat(context)
                                        .getFailure()
                                        .hasStackTraceContaining("'sha256:' and 64 hex digits")
                                        .satisfies(
                                                failure ->
                                                        assertThat(failure)
                                                                .rootCause()
                                                                .message()
                                                                .doesNotContain("by-mistake")));
    }

    @Test
    void noKeyStandsForTheAnonymousOwner() {
        bare.withPropertyValues(
                        "spillway.security.mode=api-key",
                        "spillway.security.api-keys[0].name=anonymous",
                        "spillway.security.api-keys[0].hash=sha256:" + "ab".repeat(32))
                .run(
                        context ->
                                assertThat(context)
                                        .getFailure()
                                        .hasStackTraceContaining(
                                                "'anonymous' cannot be the owner of an API key"));
    }

    @Test
    void thePasswordIsNotPrinted() {
        assertThat(new SpillwayProperties.Store("jdbc:h2:mem:x;PASSWORD=geheim", "u", "geheim", 1))
                .asString()
                .doesNotContain("geheim");
    }
}
