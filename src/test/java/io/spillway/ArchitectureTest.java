package io.spillway;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The layout, held: dependencies run one way, and each foreign library lives where it belongs. */
@AnalyzeClasses(packages = "io.spillway", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

    private static final String BASE = "io.spillway.";

    @ArchTest
    static final ArchRule PACKAGES_HAVE_NO_CYCLES =
            slices().matching("io.spillway.(**)")
                    .should()
                    .beFreeOfCycles()
                    .because("a package that needs one that needs it is one package");

    @ArchTest
    static final ArchRule ERROR_KNOWS_NOBODY =
            noClasses()
                    .that()
                    .resideInAPackage(BASE + "error..")
                    .should()
                    .dependOnClassesThat(areOurs().and(not("error")))
                    .because("everybody reports errors");

    @ArchTest
    static final ArchRule MEMORY_AND_BATCH_KNOW_ERRORS_ONLY =
            noClasses()
                    .that()
                    .resideInAnyPackage(BASE + "memory..", BASE + "batch..")
                    .should()
                    .dependOnClassesThat(areOurs().and(not("error", "memory", "batch")))
                    .because("everybody else holds batches");

    @ArchTest
    static final ArchRule SPILL_KNOWS_BATCHES_AND_MEMORY_ONLY =
            noClasses()
                    .that()
                    .resideInAPackage(BASE + "spill..")
                    .should()
                    .dependOnClassesThat(areOurs().and(not("error", "memory", "batch", "spill")))
                    .because("a block is a batch, whoever wrote it and wherever it lies");

    @ArchTest
    static final ArchRule SPOOLS_KNOW_BLOCKS_AND_FILES_ONLY =
            noClasses()
                    .that()
                    .resideInAPackage(BASE + "spool..")
                    .should()
                    .dependOnClassesThat(
                            areOurs()
                                    .and(
                                            not(
                                                    "error", "memory", "batch", "spill", "storage",
                                                    "spool")))
                    .because("a result is rows in files, whatever computed them");

    @ArchTest
    static final ArchRule OPERATORS_KNOW_NO_SOURCE_AND_NO_READER =
            noClasses()
                    .that()
                    .resideInAPackage(BASE + "operator..")
                    .should()
                    .dependOnClassesThat(
                            areOurs()
                                    .and(
                                            not(
                                                    "error",
                                                    "memory",
                                                    "batch",
                                                    "expression",
                                                    "execution",
                                                    "spill",
                                                    "operator")))
                    .because(
                            "an operator works on batches, wherever they come from and whoever"
                                    + " takes them");

    @ArchTest
    static final ArchRule NOBODY_KNOWS_THE_WEB =
            noClasses()
                    .that()
                    .resideOutsideOfPackages(BASE + "web..", BASE + "config..")
                    .should()
                    .dependOnClassesThat()
                    .resideInAPackage(BASE + "web..")
                    .because("the engine does not know how it is asked");

    @ArchTest
    static final ArchRule NOBODY_KNOWS_THE_WIRING =
            noClasses()
                    .that()
                    .resideOutsideOfPackage(BASE + "config..")
                    .should()
                    .dependOnClassesThat()
                    .resideInAPackage(BASE + "config..")
                    .because("what is wired does not know by whom");

    @ArchTest
    static final ArchRule SPRING_AND_REACTOR_STAY_OUTSIDE =
            noClasses()
                    .that()
                    .resideOutsideOfPackages(
                            BASE + "config..",
                            BASE + "web..",
                            BASE + "delivery..",
                            BASE + "job..",
                            BASE + "export..",
                            BASE + "group..",
                            "io.spillway")
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage("org.springframework..", "reactor..")
                    .because("the engine is plain Java");

    @ArchTest
    static final ArchRule CALCITE_STAYS_IN_PLANNING =
            noClasses()
                    .that()
                    .resideOutsideOfPackage(BASE + "plan..")
                    .should()
                    .dependOnClassesThat()
                    .resideInAPackage("org.apache.calcite..")
                    .because("what is executed and stored are our own resolved records");

    @ArchTest
    static final ArchRule PARQUET_STAYS_IN_ITS_SCAN_AND_SINK =
            noClasses()
                    .that()
                    .resideOutsideOfPackages(BASE + "scan.parquet..", BASE + "sink.parquet..")
                    .should()
                    .dependOnClassesThat()
                    .resideInAPackage("org.apache.parquet..")
                    .because("one format's library is that format's matter");

    @ArchTest
    static final ArchRule SINKS_KNOW_BATCHES_AND_FILES_ONLY =
            noClasses()
                    .that()
                    .resideInAPackage(BASE + "sink..")
                    .should()
                    .dependOnClassesThat(
                            areOurs()
                                    .and(
                                            not(
                                                    "error",
                                                    "memory",
                                                    "batch",
                                                    "encode",
                                                    "operator",
                                                    "storage",
                                                    "sink")))
                    .because("a file is rows, whatever computed them and whoever asked for it");

    @ArchTest
    static final ArchRule PARTS_OF_PARQUET_ARE_ITS_OWN =
            noClasses()
                    .that()
                    .resideOutsideOfPackage(BASE + "scan.parquet..")
                    .should()
                    .dependOnClassesThat()
                    .resideInAPackage(BASE + "scan.parquet.*..")
                    .because("the format is what others see");

    @ArchTest
    static final ArchRule HADOOP_STAYS_IN_FILES =
            noClasses()
                    .that()
                    .resideOutsideOfPackages(BASE + "scan.parquet..", BASE + "storage..")
                    .should()
                    .dependOnClassesThat()
                    .resideInAPackage("org.apache.hadoop..")
                    .because("it is there for its file systems");

    @ArchTest
    static final ArchRule CONFIGURATION_IS_WIRING =
            classes()
                    .that()
                    .areAnnotatedWith("org.springframework.context.annotation.Configuration")
                    .should()
                    .resideInAnyPackage(BASE + "config..", BASE + "web..")
                    .because("nothing else knows about beans");

    private static DescribedPredicate<JavaClass> areOurs() {
        return JavaClass.Predicates.resideInAPackage("io.spillway..");
    }

    private static DescribedPredicate<JavaClass> not(String... packages) {
        String[] patterns = new String[packages.length];
        for (int i = 0; i < packages.length; i++) {
            patterns[i] = BASE + packages[i] + "..";
        }
        return JavaClass.Predicates.resideOutsideOfPackages(patterns);
    }
}
