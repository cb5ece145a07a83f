package io.spillway.scan.parquet.index;

import io.spillway.batch.ColumnType;
import io.spillway.scan.parquet.bytes.FilePieces;
import io.spillway.scan.parquet.bytes.ThriftBounds;
import io.spillway.scan.parquet.footer.ColumnNode;
import io.spillway.scan.parquet.footer.Footer;
import io.spillway.scan.parquet.footer.LeafValues;
import io.spillway.scan.pruning.Scalar;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.parquet.column.values.bloomfilter.XxHash;
import org.apache.parquet.format.BloomFilterAlgorithm;
import org.apache.parquet.format.BloomFilterCompression;
import org.apache.parquet.format.BloomFilterHash;
import org.apache.parquet.format.BloomFilterHeader;
import org.apache.parquet.format.Util;
import org.jspecify.annotations.Nullable;

/**
 * A chunk's split block bloom filter: says no only for a value that the chunk certainly does not
 * hold. Only the blocks that are asked for are read; asking waits. A value is hashed as its
 * PLAIN-encoded bytes without a length; where those are not known for sure (a decimal in byte
 * arrays may be padded, NaN has many forms), the answer is yes.
 *
 * @see <a href="https://github.com/apache/parquet-format/blob/master/BloomFilter.md">Parquet bloom
 *     filter</a>
 */
public final class BloomFilter implements Predicate<Scalar> {

    private static final int HEADER = 64;
    private static final int BLOCK = 32;

    /** Values that are asked for at most; for more the answer is yes. */
    private static final int MAX_PROBES = 64;

    private static final int[] SALT = {
        0x47b6137b,
        0x44974d91,
        0x8824ad5b,
        0xa2b7289d,
        0x705495c7,
        0x2df1424b,
        0x9efc4947,
        0x5c6bfb31
    };

    private static final XxHash HASH = new XxHash();

    private final FilePieces file;
    private final ColumnNode.Leaf leaf;
    private final long bits;
    private final long blocks;
    private final Map<Scalar, Boolean> known = new HashMap<>();

    private BloomFilter(FilePieces file, ColumnNode.Leaf leaf, long bits, long blocks) {
        this.file = file;
        this.leaf = leaf;
        this.bits = bits;
        this.blocks = blocks;
    }

    /**
     * The filter of a chunk, or null if it has none that can be read; waits.
     *
     * @param dataEnd bytes of the file that a filter can lie in
     */
    public static @Nullable BloomFilter open(
            FilePieces file, Footer.Chunk chunk, ColumnNode.Leaf leaf, long dataEnd) {
        long offset = chunk.indexes().bloomFilter();
        if (offset == 0 || new LeafValues(leaf).isNarrow()) {
            return null;
        }
        byte[] start = file.read(offset, (int) Math.min(HEADER, dataEnd - offset));
        int length = ThriftBounds.structLength(ByteBuffer.wrap(start));
        if (length < 0) {
            return null;
        }
        BloomFilterHeader header;
        try {
            header = Util.readBloomFilterHeader(new ByteArrayInputStream(start));
        } catch (IOException | RuntimeException e) {
            return null;
        }
        int bytes = header.getNumBytes();
        boolean possible = bytes > 0 && bytes % BLOCK == 0 && offset + length <= dataEnd - bytes;
        return possible && isKnown(header)
                ? new BloomFilter(file, leaf, offset + length, bytes / BLOCK)
                : null;
    }

    private static boolean isKnown(BloomFilterHeader header) {
        BloomFilterAlgorithm algorithm = header.getAlgorithm();
        BloomFilterHash hash = header.getHash();
        BloomFilterCompression compression = header.getCompression();
        return algorithm != null
                && algorithm.isSetBLOCK()
                && hash != null
                && hash.isSetXXHASH()
                && compression != null
                && compression.isSetUNCOMPRESSED();
    }

    @Override
    public boolean test(Scalar value) {
        Boolean answer = known.get(value);
        if (answer == null) {
            answer = known.size() >= MAX_PROBES || mayHold(value);
            known.put(value, answer);
        }
        return answer;
    }

    private boolean mayHold(Scalar value) {
        return switch (value) {
            case Scalar.Whole(long whole) -> mayHold(integer(whole));
            case Scalar.Exact(BigDecimal exact) -> mayHold(exact);
            case Scalar.Real(double real) -> mayHold(real);
            case Scalar.Bytes(byte[] bytes) -> hasHash(bytes);
        };
    }

    private boolean mayHold(byte @Nullable [] plain) {
        return plain == null || hasHash(plain);
    }

    private byte @Nullable [] integer(long value) {
        return switch (leaf.physical()) {
            case INT32 -> little(Integer.BYTES).putInt((int) value).array();
            case INT64 -> little(Long.BYTES).putLong(value).array();
            case BOOLEAN, FLOAT, DOUBLE, BINARY, FIXED_LEN_BYTE_ARRAY, INT96 -> null;
        };
    }

    private boolean mayHold(BigDecimal value) {
        int scale = leaf.field().type() instanceof ColumnType.Decimal(int _, int own) ? own : 0;
        BigInteger unscaled;
        try {
            unscaled = value.setScale(scale).unscaledValue();
        } catch (ArithmeticException e) {
            return false;
        }
        int bits = leaf.field().type() instanceof ColumnType.Decimal ? 1 : 0;
        return switch (leaf.physical()) {
            case INT32 ->
                    unscaled.bitLength() + bits <= Integer.SIZE
                            && mayHold(integer(unscaled.longValue()));
            case INT64 ->
                    unscaled.bitLength() + bits <= Long.SIZE
                            && mayHold(integer(unscaled.longValue()));
            case FIXED_LEN_BYTE_ARRAY -> {
                byte[] plain = bigEndian(unscaled, leaf.typeLength());
                yield plain != null && hasHash(plain);
            }
            case BOOLEAN, FLOAT, DOUBLE, BINARY, INT96 -> true;
        };
    }

    private static byte @Nullable [] bigEndian(BigInteger value, int width) {
        byte[] least = value.toByteArray();
        if (least.length > width) {
            return null;
        }
        byte[] plain = new byte[width];
        Arrays.fill(plain, 0, width - least.length, (byte) (value.signum() < 0 ? -1 : 0));
        System.arraycopy(least, 0, plain, width - least.length, least.length);
        return plain;
    }

    private boolean mayHold(double value) {
        if (Double.isNaN(value)) {
            return true;
        }
        return switch (leaf.physical()) {
            case FLOAT -> {
                float own = (float) value;
                yield hasHash(little(Float.BYTES).putFloat(own).array())
                        || (own == 0 && hasHash(little(Float.BYTES).putFloat(-0f).array()));
            }
            case DOUBLE ->
                    hasHash(little(Double.BYTES).putDouble(value).array())
                            || (value == 0 && hasHash(little(Double.BYTES).putDouble(-0d).array()));
            case BOOLEAN, INT32, INT64, BINARY, FIXED_LEN_BYTE_ARRAY, INT96 -> true;
        };
    }

    private static ByteBuffer little(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    private boolean hasHash(byte[] plain) {
        long hash = HASH.hashBytes(plain);
        long block = ((hash >>> Integer.SIZE) * blocks) >>> Integer.SIZE;
        ByteBuffer words =
                ByteBuffer.wrap(file.read(bits + block * BLOCK, BLOCK))
                        .order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < SALT.length; i++) {
            int mask = 1 << (((int) hash * SALT[i]) >>> 27);
            if ((words.getInt(i * Integer.BYTES) & mask) == 0) {
                return false;
            }
        }
        return true;
    }
}
