import { describe, expect, it } from 'vitest'
import { randomBelow, SEED } from '#server/testing/random.ts'
import { feeOf } from './fee.ts'
import { paymentParts, remainderOf, type PaymentPart } from './payment-schedule.ts'
import { quotationSums } from './quotation.ts'
import { statementOf, type Statement } from './statement.ts'
import { sumOf } from './step.ts'
import {
  agreementOf,
  decimalText,
  inText,
  millionths,
  quotationOf,
  requestOf,
} from './testing/decimal-text.ts'
import { fraction, textOf } from './testing/fraction.ts'
import { oracleStatements } from './testing/month-oracle.ts'
import { Oracle } from './testing/oracle.ts'
import { oraclePayments, oracleQuotation } from './testing/order-oracle.ts'
import { createDraw } from './testing/random-billing.ts'

// Drawn documents and months, each worked out a second time by an oracle that shares no code with the
// product.

const COUNT = process.env.LONG ? 100_000 : 2000

const setup = () => ({ draw: createDraw(randomBelow(SEED)), oracle: new Oracle() })

describe('an independent oracle', () => {
  it('works out the same quotations, and the same payments of their orders and revisions', () => {
    const { draw, oracle } = setup()
    for (let count = 0; count < COUNT; count++) {
      const order = draw.quotation()
      const { refusal, ...sums } = quotationSums(quotationOf(order))
      expect(inText(sums)).toEqual(oracleQuotation(oracle, order))
      expect(refusal === 'taxable_negative').toBe(sums.taxable < 0n)
      if (refusal !== null) continue

      const { currency, tax, day } = order
      const { untaxed, taxable, tax_amount } = sums
      const facts = { untaxed: decimalText(untaxed), taxable: decimalText(taxable), tax, day, currency }
      const shares = draw.shares()
      const parts = paymentParts({ untaxed, taxable, tax, day, currency, shares })
      expect(inText(parts)).toEqual(oraclePayments(oracle, { ...facts, shares, standing: [] }))

      const standing = parts.filter(() => draw.isOne(3))
      const later = draw.shares()
      const others = paymentParts({ untaxed, taxable, tax, day, currency, shares: later, standing })
      const texts = standing.map(textsOf)
      expect(inText(others)).toEqual(oraclePayments(oracle, { ...facts, shares: later, standing: texts }))
      if (remainderOf({ untaxed, taxable, tax_amount }, standing) === 'less_than_nothing') continue
      expect(sumOf([...standing, ...others].map(({ amount }) => amount))).toBe(sums.total)
    }
    expect(oracle.halves).toBeGreaterThan(COUNT / 20)
  })

  it('works out the same fees, at the edges of tiers, too', () => {
    const { draw, oracle } = setup()
    for (let count = 0; count < COUNT; count++) {
      const currency = draw.currency()
      const agreement = draw.agreement(null, currency)
      const edges = agreement.tiers.flatMap(({ up_to }) => (up_to === null ? [] : [up_to]))
      for (const media of [...edges, '0', draw.amount(currency), `-${draw.amount(currency)}`])
        expect(decimalText(feeOf(agreementOf(agreement), millionths(media)))).toBe(
          textOf(oracle.fee(agreement, fraction(media))),
        )
    }
    expect(oracle.halves).toBeGreaterThan(COUNT / 20)
  })

  it('works out the same months', () => {
    const { draw, oracle } = setup()
    const codes = new Set<string | null>()
    for (let count = 0; count < COUNT; count++) {
      const month = draw.month()
      const statements = statementOf(requestOf(month))
      expect(statements.map(figuresOf)).toEqual(oracleStatements(oracle, month))
      for (const { lines } of statements) for (const { code } of lines) codes.add(code)
    }
    expect(codes).toEqual(new Set([null, 'days_unknown', 'rate_missing']))
    expect(oracle.halves).toBeGreaterThan(COUNT / 20)
  })
})

const textsOf = ({ untaxed, taxable, tax_amount }: PaymentPart) => ({
  untaxed: decimalText(untaxed),
  taxable: decimalText(taxable),
  tax_amount: decimalText(tax_amount),
})

/** What the oracle has, too. */
const figuresOf = ({ warnings: _warnings, lines, ...sums }: Statement) =>
  inText({
    ...sums,
    lines: lines.map(({ spend: _spend, invoiced: _invoiced, rate: _rate, ...line }) => line),
  })
