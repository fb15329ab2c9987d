import { sum } from '@storekeep/common/values'
import { taxAmounts } from '@storekeep/proto/conventions/tax-amounts'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type EarlierRefund, type RefundLine, type RefundStatus, refundAmount, splitRefund } from './refund.ts'

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

const taxedOrder = fc
  .record({
    given: fc.array(
      fc.record({ quantity: fc.integer({ min: 1, max: 5 }), price: fc.bigInt({ min: 0n, max: 10_000n }) }),
      { minLength: 1, maxLength: 6 },
    ),
    rate: fc.integer({ min: 0, max: 10_000 }),
    inclusive: fc.boolean(),
  })
  .map(({ given, rate, inclusive }) => {
    const prices = given.map(({ price }) => price)
    const amounts = taxAmounts(prices, { rate, inclusive })
    const lines = given.map(({ quantity, price }, index) => ({ quantity, totalAmount: price, ...amounts[index] }))
    const netAmount = sum(amounts.map((line) => line.netAmount))
    const taxAmount = sum(amounts.map((line) => line.taxAmount))
    return { lines, totalAmount: netAmount + taxAmount, tax: { netAmount, taxAmount } }
  })

/** A step refunds units of a line, or a share of what is left. */
const steps = fc.array(fc.record({ byLine: fc.boolean(), choice: fc.nat(), fails: fc.boolean() }), { maxLength: 20 })

it('refunds by line and by amount, some of which fail, never exceed net and tax, and the last one refunds the rest of both', () => {
  fc.assert(
    fc.property(taxedOrder, steps, (order, given) => {
      const refunds: (EarlierRefund & { amount: bigint })[] = []
      const counted = () => refunds.filter(({ status }) => status !== 'failed')
      const left = () => order.totalAmount - sum(counted().map(({ amount }) => amount))
      const refund = (lines: RefundLine[], wanted: bigint | undefined, status: RefundStatus) => {
        const refunded = counted().flatMap((one) => one.lines)
        const input = { amount: wanted, lines, reason: undefined }
        const amount = refundAmount(input, order, refunded, left())
        const split = splitRefund(amount, lines, order, refunds)
        expect((split?.netAmount ?? -1n) + (split?.taxAmount ?? -1n)).toBe(amount)
        expect((split?.netAmount ?? -1n) >= 0n && (split?.taxAmount ?? -1n) >= 0n).toBe(true)
        refunds.push({ status, lines, split, amount })
        expect(sum(counted().map((one) => one.split?.taxAmount ?? 0n)) <= order.tax.taxAmount).toBe(true)
        expect(sum(counted().map((one) => one.split?.netAmount ?? 0n)) <= order.tax.netAmount).toBe(true)
      }
      for (const { byLine, choice, fails } of given) {
        const position = (choice % order.lines.length) + 1
        try {
          if (byLine) refund([{ position, quantity: 1 }], undefined, fails ? 'failed' : 'succeeded')
          else refund([], (left() * BigInt(choice % 100)) / 100n, fails ? 'failed' : 'pending')
        } catch (error) {
          // Nothing is left, or no units of the line.
          expect(['conflict', 'validation-failed']).toContain((error as { code?: string }).code)
        }
      }
      if (left() > 0n) refund([], undefined, 'succeeded')
      expect(sum(counted().map((one) => one.split?.taxAmount ?? 0n))).toBe(order.tax.taxAmount)
      expect(sum(counted().map((one) => one.split?.netAmount ?? 0n))).toBe(order.tax.netAmount)
    }),
  )
})

it('refunding a line refunds the net and the tax of the line', () => {
  fc.assert(
    fc.property(taxedOrder, (order) => {
      for (const [index, { quantity, netAmount = 0n, taxAmount = 0n }] of order.lines.entries()) {
        const line = { position: index + 1, quantity }
        expect(splitRefund(netAmount + taxAmount, [line], order, [])).toEqual({ netAmount, taxAmount })
      }
    }),
  )
})

it('a refund of an order without tax is not split', () => {
  const lines = [{ quantity: 1, totalAmount: 100n }]
  expect(splitRefund(50n, [], { lines, totalAmount: 100n, tax: null }, [])).toBeNull()
})
