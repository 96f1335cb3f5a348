import { describe, expect, it } from 'vitest'
import { Problem } from '#web/client/problem.ts'
import { exampleDraft, lineDraft } from '#web/pages/orders/testing/example-quotation.ts'
import { faultCount, faultsOf, hasUnreadable, isUnreadable, withoutFault } from './faults.ts'

const refusal = (fields: Problem['fields']) => new Problem({ code: 'invalid', status: 400, fields })

describe('what the server refuses', () => {
  const draft = exampleDraft({
    schedule: [{ key: 900, share: 10_000, kind: 'after', after: '', due_on: '' }],
  })
  const [first, second] = draft.lines.map(({ key }) => key)

  it('is at the field of the line that was sent at that index', () => {
    const { lines, head } = faultsOf(
      refusal({ 'lines.1.budget': ['amount_step'], 'lines.1.end': ['field_invalid'] }),
      draft,
    )
    expect(head).toEqual({})
    expect([...lines]).toEqual([[second, { budget: 'amount_step', end: 'field_invalid' }]])
  })

  it('is at the channel where it is about the channel, and at the accounts whichever it was', () => {
    const { lines } = faultsOf(
      refusal({ 'lines.0.channel': ['field_invalid'], 'lines.0.accounts.3': ['account_unknown'] }),
      draft,
    )
    expect([...lines]).toEqual([[first, { kind: 'field_invalid', accounts: 'account_unknown' }]])
  })

  it('is at the head where it is about no line', () => {
    const { head, lines, parts } = faultsOf(
      refusal({
        title: ['field_required'],
        lines: ['field_too_many'],
        schedule: ['field_invalid'],
        'payment_terms.days': ['field_invalid'],
        'lines.7.budget': ['amount_step'],
      }),
      draft,
    )
    expect(head).toMatchObject({
      title: 'field_required',
      schedule: 'field_invalid',
      payment_terms: 'field_invalid',
    })
    expect(lines.size + parts.size).toBe(0)
  })

  it('is at the part of the schedule', () => {
    const { parts } = faultsOf(refusal({ 'schedule.0.after': ['field_invalid'] }), draft)
    expect([...parts]).toEqual([[900, { after: 'field_invalid' }]])
  })

  it('is counted by field', () => {
    const faults = faultsOf(
      refusal({
        title: ['field_required'],
        'lines.0.start': ['field_invalid'],
        'lines.0.end': ['field_invalid'],
        'schedule.0.share': ['field_invalid'],
      }),
      draft,
    )
    expect(faultCount(faults)).toBe(4)
  })
})

describe('a fault', () => {
  const faults = new Map([[1, { start: 'field_invalid', end: 'field_invalid' } as const]])

  it('is gone once the field has been changed', () => {
    expect(withoutFault(faults, 1, ['start']).get(1)).toEqual({ end: 'field_invalid' })
  })

  it('leaves the faults the same object where nothing of them has changed', () => {
    expect(withoutFault(faults, 1, ['title'])).toBe(faults)
    expect(withoutFault(faults, 2, ['start'])).toBe(faults)
  })
})

describe('a line', () => {
  it('cannot be sent while a pasted text could not be read', () => {
    expect(isUnreadable(lineDraft())).toBe(false)
    expect(isUnreadable(lineDraft({ unread: { start: '11/1' } }))).toBe(true)
  })

  it('cannot be sent with an amount or rate that is none', () => {
    expect(isUnreadable(lineDraft({ budget: 'invalid' }))).toBe(true)
    expect(isUnreadable(lineDraft({ fee_rate: 'invalid' }))).toBe(true)
    expect(isUnreadable(lineDraft({ pricing: 'cpm', quantity: 'invalid' }))).toBe(true)
    expect(isUnreadable(lineDraft({ pricing: 'cpm', unit_price: 'invalid' }))).toBe(true)
  })

  it('can be sent whatever is in the fields that do not count', () => {
    expect(isUnreadable(lineDraft({ quantity: 'invalid', unit_price: 'invalid' }))).toBe(false)
    expect(isUnreadable(lineDraft({ pricing: 'cpm', budget: 'invalid' }))).toBe(false)
  })
})

describe('a draft', () => {
  it('cannot be sent while something in it has no value', () => {
    expect(hasUnreadable(exampleDraft())).toBe(false)
    expect(hasUnreadable(exampleDraft({ discount: 'invalid' }))).toBe(true)
    expect(hasUnreadable(exampleDraft({ fee_minimum: 'invalid' }))).toBe(true)
    expect(hasUnreadable(exampleDraft({ payment_terms: 'invalid' }))).toBe(true)
    expect(hasUnreadable(exampleDraft({ lines: [lineDraft({ budget: 'invalid' })] }))).toBe(true)
    const part = { key: 1, share: 'invalid' as const, kind: 'after' as const, after: '', due_on: '' }
    expect(hasUnreadable(exampleDraft({ schedule: [part] }))).toBe(true)
  })
})
