package io.spillway.scan.ndjson;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import io.spillway.error.ErrorCode;
import io.spillway.scan.text.TextFault;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/** Objects. */
final class JsonStructColumn extends JsonColumn {

    private final JsonFields fields;

    JsonStructColumn(ColumnSchema column, ColumnType.Struct struct, BufferAllocator allocator) {
        super(column, allocator);
        this.fields = new JsonFields(struct.fields(), allocator);
    }

    @Override
    void start(int values) {
        super.start(values);
        fields.start(values);
    }

    @Override
    void appendNothing() {
        fields.appendNull();
    }

    @Override
    void appendValue(JsonRows rows, JsonParser parser, JsonToken token) {
        if (token != JsonToken.START_OBJECT) {
            throw new TextFault(
                    ErrorCode.INVALID_CAST,
                    rows.line(),
                    "has something else in place of an object",
                    column.name());
        }
        try {
            fields.append(rows, parser);
        } catch (TextFault fault) {
            throw fault.within(column.name());
        }
    }

    @Override
    List<ArrowBuf> buffers() {
        return List.of();
    }

    @Override
    void finishChildren(FieldVector vector) {
        List<FieldVector> children = vector.getChildrenFromFields();
        for (int i = 0; i < children.size(); i++) {
            fields.columns().get(i).load(children.get(i));
        }
    }

    @Override
    public void close() {
        super.close();
        fields.close();
    }
}
