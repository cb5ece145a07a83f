package io.spillway.delivery.http;

import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.nio.ByteBuffer;

/** A view of a buffer of somebody else for Netty, which ends a reader of the loan once released. */
final class LentBuffer extends CompositeByteBuf {

    private final Loan loan;

    /**
     * @param loan taken before, for this view
     * @param bytes direct or heap, read-only or not
     */
    LentBuffer(Loan loan, ByteBuffer bytes) {
        super(UnpooledByteBufAllocator.DEFAULT, false, 1);
        this.loan = loan;
        addFlattenedComponents(true, Unpooled.wrappedBuffer(bytes));
    }

    @Override
    protected void deallocate() {
        super.deallocate();
        loan.giveBack();
    }
}
