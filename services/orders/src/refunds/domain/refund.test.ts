import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type RefundLine, refundAmount } from './refund.ts'

it('refunding all units of all lines in any parts and any order refunds exactly the total', () => {
  const line = fc.record({
    quantity: fc.integer({ min: 1, max: 20 }),
    totalAmount: fc.bigInt({ min: 0n, max: 10_000n }),
  })
  fc.assert(
    fc.property(
      fc.array(line, { minLength: 1, maxLength: 6 }),
      fc.nat(100),
      fc.infiniteStream(fc.nat()),
      (lines, share, random) => {
        const sum = lines.reduce((all, one) => all + one.totalAmount, 0n)
        const totalAmount = (sum * BigInt(share)) / 100n
        const units = lines.flatMap(({ quantity }, index) =>
          Array.from({ length: quantity }, () => ({
            position: index + 1,
            quantity: 1,
            order: random.next().value as number,
          })),
        )
        units.sort((a, b) => a.order - b.order)
        const refunded: RefundLine[] = []
        let left = totalAmount
        for (const { position, quantity } of units) {
          const input = { amount: undefined, lines: [{ position, quantity }], reason: undefined }
          let amount = 0n
          try {
            amount = refundAmount(input, { lines, totalAmount }, refunded, left)
          } catch (error) {
            // A unit without a price cannot be refunded by itself.
            expect(error).toMatchObject({ code: 'conflict' })
          }
          expect(amount >= 0n).toBe(true)
          left -= amount
          refunded.push({ position, quantity })
        }
        expect(left).toBe(0n)
      },
    ),
  )
})
