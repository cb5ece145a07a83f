package io.spillway.storage;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.params.provider.CsvSource;

/** Patterns below a root, and the files that they stand for among those that the tests write. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
@CsvSource(
        delimiter = '|',
        value = {
            "data | data/a/1.parquet;data/a/2.parquet;data/b.csv",
            "data/ | data/a/1.parquet;data/a/2.parquet;data/b.csv",
            "data/*.csv | data/b.csv",
            "data/*/*.parquet | data/a/1.parquet;data/a/2.parquet",
            "data/a/?.parquet | data/a/1.parquet;data/a/2.parquet",
            "data/a/[2-9].parquet | data/a/2.parquet",
            "data/{a,none}/1.* | data/a/1.parquet",
            "data/**/*.parquet | data/a/1.parquet;data/a/2.parquet",
            "**/b.csv | data/b.csv",
            "data/** | data/a/1.parquet;data/a/2.parquet;data/b.csv",
            "data/[ab] | data/a/1.parquet;data/a/2.parquet",
            "data/_* | data/_SUCCESS;data/_tmp/part",
            "data/.h* | data/.hidden",
            "data/.hidden | data/.hidden",
            "data/_tmp | data/_tmp/part",
            "data/a//*.parquet | data/a/1.parquet;data/a/2.parquet",
        })
@interface Listings {}
