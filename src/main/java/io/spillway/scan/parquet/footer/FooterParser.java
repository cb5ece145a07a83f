package io.spillway.scan.parquet.footer;

import io.spillway.error.SpillwayException;
import io.spillway.scan.parquet.bytes.Place;
import io.spillway.scan.parquet.bytes.ThriftBounds;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.Util;
import org.jspecify.annotations.Nullable;

/**
 * Makes a {@link Footer} of a footer's bytes, and believes none of it before it is checked: its
 * lengths against its bytes, its schema ({@link FooterSchema}) and its chunks against the file
 * ({@link RowGroupParser}). The Thrift structs are read by parquet-java.
 */
public final class FooterParser {

    private static final int NODE_WEIGHT = 400;

    private final Place place;
    private final long dataEnd;

    /**
     * @param dataEnd where in the file the footer starts
     */
    public FooterParser(Place place, long dataEnd) {
        this.place = place;
        this.dataEnd = dataEnd;
    }

    /**
     * Reads the struct that the buffer holds.
     *
     * @throws SpillwayException as {@link FooterReader#read}
     */
    public Footer parse(ByteBuffer bytes) {
        if (ThriftBounds.structLength(bytes) < 0) {
            throw place.corrupt("The footer is damaged");
        }
        try {
            FileMetaData meta =
                    Util.readFileMetaData(
                            new ByteArrayInputStream(
                                    bytes.array(),
                                    bytes.arrayOffset() + bytes.position(),
                                    bytes.remaining()));
            List<RowGroup> groups = present(meta.getRow_groups());
            List<SchemaElement> elements = present(meta.getSchema());
            FooterSchema schema = FooterSchema.of(place, elements, groups);
            RowGroupParser rowGroups = new RowGroupParser(place, dataEnd, meta, elements);
            return new Footer(
                    schema.columns(),
                    rowGroups.read(groups),
                    NODE_WEIGHT * (long) elements.size() + rowGroups.weight());
        } catch (SpillwayException e) {
            throw e;
        } catch (IOException | RuntimeException e) {
            throw place.corrupt("The footer is damaged", e);
        }
    }

    private <T> List<T> present(@Nullable List<T> list) {
        if (list == null) {
            throw place.corrupt("The footer is damaged: a list is missing");
        }
        return list;
    }
}
