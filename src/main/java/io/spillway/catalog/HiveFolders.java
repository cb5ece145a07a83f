package io.spillway.catalog;

import io.spillway.storage.FileStatus;
import io.spillway.storage.Percent;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Folders named {@code key=value}, as Hive writes partitioned tables: values and keys are escaped
 * with {@code %} and two hexadecimal digits for each byte of UTF-8, once, beside whatever escaping
 * a URI has; a plus sign is a plus sign; and {@value #NULL} stands for NULL.
 *
 * @see <a href="https://cwiki.apache.org/confluence/display/Hive/LanguageManual+DDL">Hive DDL</a>
 */
final class HiveFolders {

    /** The value of a partition whose column is NULL. */
    static final String NULL = "__HIVE_DEFAULT_PARTITION__";

    private HiveFolders() {}

    /**
     * Keys and values of the folders between what a source names and a file, from the outermost on;
     * of a glob counts what comes after its part without wildcards. Folders of other names are
     * passed over. Null if a key occurs twice.
     */
    static @Nullable Map<String, @Nullable String> of(ListedFile file) {
        List<String> segments = segments(file.status());
        Map<String, @Nullable String> values = new LinkedHashMap<>();
        for (int i = named(file.named(), segments); i < segments.size() - 1; i++) {
            String folder = segments.get(i);
            int equals = folder.indexOf('=');
            if (equals < 1) {
                continue;
            }
            String key = unescape(folder.substring(0, equals));
            String value = folder.substring(equals + 1);
            if (values.containsKey(key)) {
                return null;
            }
            values.put(key, value.equals(NULL) ? null : unescape(value));
        }
        return values;
    }

    private static List<String> segments(FileStatus file) {
        return file.uri().indexOf('=') < 0 && !file.uri().contains("%3D")
                ? List.of()
                : Location.requested(file.uri()).segments();
    }

    /** How many leading segments the source names, one by one. */
    private static int named(Location location, List<String> segments) {
        int all = location.segments().size();
        boolean literal =
                segments.size() >= all && segments.subList(0, all).equals(location.segments());
        return literal ? all : location.fixedSegments();
    }

    /**
     * Replaces percent escapes. What is no escape stands for itself; so does the whole text if what
     * comes out is not UTF-8.
     */
    static String unescape(String text) {
        if (text.indexOf('%') < 0) {
            return text;
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(Percent.decodeBytes(text)))
                    .toString();
        } catch (CharacterCodingException e) {
            return text;
        }
    }
}
