package io.spillway.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.storage.FileStatus;
import io.spillway.storage.LocalFiles;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Roots in object stores, where the names decide alone. */
class AllowedRootsTest {

    private final AllowedRoots roots =
            roots("s3://bucket/pub/data", "hdfs://nn:8020/x", "s3a://all");

    private static AllowedRoots roots(String... roots) {
        return new AllowedRoots(Stream.of(roots).map(Location::configured).toList());
    }

    private static void refused(ThrowingCallable call) {
        assertThatExceptionOfType(SpillwayException.class)
                .isThrownBy(call)
                .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.PATH_NOT_ALLOWED));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "s3://bucket/pub/data",
                "s3a://bucket/pub/data/",
                "S3A://bucket/pub//data/x",
                "s3://bucket/pub/./data/x",
                "s3://bucket/p%75b/data/a b%20c",
                "s3://bucket/pub/data/**/*.parquet",
                "hdfs://nn:8020/x/y",
                "s3://all",
                "s3://all/any/where"
            })
    void namesBelowARootAreAllowed(String path) {
        assertThatCode(() -> roots.check(Location.requested(path))).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "s3://bucket/pub",
                "s3://bucket/pub/data2/x",
                "s3://bucket/pub/dat?/x",
                "s3://bucket/{pub,priv}/data/x",
                "s3://bucket/pub/data/../../x",
                "s3://bucket/pub/data/%2E%2E/x",
                "s3://bucket/pub/data%2F..%2F..%2Fx",
                "s3://bucket2/pub/data/x",
                "s3://bucket",
                "s3://",
                "s3:/bucket/pub/data",
                "s3:bucket/pub/data",
                "s3://bucket/pub/data/%zz",
                "s3://bucket/pub/data/a%00",
                "hdfs://other:8020/x/y",
                "file:///bucket/pub/data",
                "/bucket/pub/data"
            })
    void allElseIsRefused(String path) {
        refused(() -> roots.check(Location.requested(path)));
    }

    @Test
    void aListedFileStandsBelowARootByTheNameItIsReadBy() {
        Location location = Location.requested("s3://bucket/pub/data");
        FileStatus inside = new FileStatus("s3a://bucket/pub/data/x", 1, 0, null);
        FileStatus outside = new FileStatus("s3a://bucket/secret/x", 1, 0, null);

        assertThatCode(() -> roots.check(location, inside, new LocalFiles()))
                .doesNotThrowAnyException();
        refused(() -> roots.check(location, outside, new LocalFiles()));
    }

    @Test
    void aPasswordInAUriIsNotRepeated() {
        assertThatExceptionOfType(SpillwayException.class)
                .isThrownBy(() -> Location.requested("s3a://key:secret@bucket/pub/data"))
                .satisfies(e -> assertThat(e.toString() + e.context()).doesNotContain("secret"));
        assertThat(Location.requested("abfs://container@account.net/x").authority())
                .isEqualTo("container@account.net");
        assertThat(List.of(Location.requested("s3://b/x").scheme())).containsExactly("s3a");
    }
}
