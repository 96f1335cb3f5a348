import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  chooseDynamic,
  completedOnClose,
  completedOnOutsideClick,
  isOutOfReach,
  pickDay,
  typedDay,
  typedRange,
  type DateRangeValue,
} from './date-range-rules.ts'

const TODAY = '2026-11-20'
const nothing: DateRangeValue = { start: null, end: null, dynamic_range: 0 }
const november: DateRangeValue = { start: '2026-11-01', end: '2026-11-30', dynamic_range: 0 }

describe('picking days', () => {
  it('begins a range with the first click', () => {
    expect(pickDay(nothing, '2026-11-05')).toEqual({
      value: { start: '2026-11-05', end: null, dynamic_range: 0 },
      complete: false,
    })
  })

  it('begins anew when the range was complete', () => {
    expect(pickDay(november, '2026-11-05').value).toEqual({
      start: '2026-11-05',
      end: null,
      dynamic_range: 0,
    })
  })

  it('completes it with the second click, in either order, also on the same day', () => {
    const begun = { ...nothing, start: '2026-11-05' }
    expect(pickDay(begun, '2026-11-09')).toEqual({
      value: { start: '2026-11-05', end: '2026-11-09', dynamic_range: 0 },
      complete: true,
    })
    expect(pickDay(begun, '2026-11-01').value).toMatchObject({ start: '2026-11-01', end: '2026-11-05' })
    expect(pickDay(begun, '2026-11-05').value).toMatchObject({ start: '2026-11-05', end: '2026-11-05' })
  })

  it('turns dynamic mode off only when the range is complete', () => {
    const first = pickDay({ ...november, dynamic_range: 3 }, '2026-11-05')
    expect(first.value.dynamic_range).toBe(3)
    expect(pickDay(first.value, '2026-11-09').value.dynamic_range).toBe(0)
  })
})

describe('closing with an incomplete range', () => {
  it('ends it on the day after its start', () => {
    expect(completedOnClose({ ...nothing, start: '2026-10-31' }, TODAY)).toMatchObject({
      start: '2026-10-31',
      end: '2026-11-01',
    })
  })

  it('begins it today when there is no start', () => {
    expect(completedOnClose(nothing, TODAY)).toEqual({ start: TODAY, end: '2026-11-21', dynamic_range: 0 })
  })

  it('leaves a complete range and a dynamic one as they are', () => {
    expect(completedOnClose(november, TODAY)).toEqual(november)
    const dynamic = { ...nothing, dynamic_range: 2 }
    expect(completedOnClose(dynamic, TODAY)).toEqual(dynamic)
  })
})

describe('clicking outside of an incomplete range', () => {
  it('ends it on the day after today', () => {
    expect(completedOnOutsideClick({ ...nothing, start: '2026-10-31' }, TODAY)).toEqual({
      start: '2026-10-31',
      end: '2026-11-21',
      dynamic_range: 0,
    })
    expect(completedOnOutsideClick(nothing, TODAY)).toMatchObject({ start: TODAY, end: '2026-11-21' })
  })

  it('never ends it before it begins', () => {
    expect(completedOnOutsideClick({ ...nothing, start: '2026-12-24' }, TODAY)).toMatchObject({
      end: '2026-12-25',
    })
  })

  it('completes a pick that was begun under a dynamic range, which goes on', () => {
    const begun = { ...november, end: null, dynamic_range: 5 }
    expect(completedOnOutsideClick(begun, TODAY)).toEqual({ ...begun, end: '2026-11-21' })
  })

  it('leaves a dynamic range alone when nothing was picked', () => {
    const dynamic = { ...nothing, dynamic_range: 5 }
    expect(completedOnOutsideClick(dynamic, TODAY)).toEqual(dynamic)
  })
})

describe('choosing a dynamic range', () => {
  it('keeps the dates, so that going back brings them back', () => {
    const dynamic = chooseDynamic(november, 4)
    expect(dynamic).toEqual({ ...november, dynamic_range: 4 })
    expect(chooseDynamic(dynamic, 0)).toEqual(november)
  })
})

describe('days out of reach', () => {
  const span = { minimum: '2026-01-01', latestEnd: (start: string) => `2027${start.slice(4)}` }

  it('are those before the minimum', () => {
    expect(isOutOfReach(nothing, '2025-12-31', span)).toBe(true)
    expect(isOutOfReach(nothing, '2026-01-01', span)).toBe(false)
    expect(isOutOfReach(nothing, '1999-01-01', { ...span, minimum: null })).toBe(false)
  })

  it('are those that would make the range too long, in either direction, while it is picked', () => {
    const begun = { ...nothing, start: '2026-06-01' }
    expect(isOutOfReach(begun, '2027-06-01', span)).toBe(false)
    expect(isOutOfReach(begun, '2027-06-02', span)).toBe(true)
    const late = { ...nothing, start: '2027-06-01' }
    expect(isOutOfReach(late, '2026-05-31', span)).toBe(true)
    expect(isOutOfReach(november, '2029-01-01', span)).toBe(false)
  })
})

describe('a typed day', () => {
  it.each([
    ['2026-11-05', '2026-11-05'],
    ['2026/11/5', '2026-11-05'],
    [' 2026.1.5 ', '2026-01-05'],
    ['20261105', '2026-11-05'],
    ['2028-02-29', '2028-02-29'],
  ])('is read from %s', (text, day) => {
    expect(typedDay(text)).toEqual({ day })
  })

  it.each(['', '2026', '2026-11', '2026-11-', '26-11-05', '2026-11/05', '202611', 'tomorrow'])(
    'is incomplete as "%s"',
    text => {
      expect(typedDay(text)).toEqual({ problem: 'incomplete' })
    },
  )

  it.each(['2026-02-29', '2026-13-01', '2026-11-31', '2026-00-10'])('is none as %s', text => {
    expect(typedDay(text)).toEqual({ problem: 'no_such_day' })
  })

  it('is every day that there is', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('1000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }),
        date => {
          const day = date.toISOString().slice(0, 10)
          expect(typedDay(day)).toEqual({ day })
        },
      ),
    )
  })
})

describe('a typed range', () => {
  const span = { minimum: '2026-01-01', latestEnd: () => '2026-12-31' }

  it('is two days that are in reach', () => {
    expect(typedRange({ start: '2026-01-01', end: '2026-12-31' }, span)).toEqual({
      range: { start: '2026-01-01', end: '2026-12-31' },
    })
  })

  it('says which of them is wrong, and why', () => {
    expect(typedRange({ start: '2026-1', end: '2026-02-30' }, span)).toEqual({
      start: { problem: 'incomplete' },
      end: { problem: 'no_such_day' },
    })
    expect(typedRange({ start: '2025-12-31', end: '2026-02-01' }, span)).toEqual({
      start: { problem: 'too_early', day: '2026-01-01' },
    })
    expect(typedRange({ start: '2026-03-01', end: '2026-02-01' }, span)).toEqual({
      end: { problem: 'end_first' },
    })
    expect(typedRange({ start: '2026-03-01', end: '2027-02-01' }, span)).toEqual({
      end: { problem: 'too_late', day: '2026-12-31' },
    })
  })
})

describe('however the picker is left', () => {
  const day = fc
    .integer({ min: -800, max: 800 })
    .map(days => Temporal.PlainDate.from(TODAY).add({ days }).toString())
  const value = fc.record({
    start: fc.option(day),
    end: fc.constant(null),
    dynamic_range: fc.integer({ min: 0, max: 5 }),
  })

  it('a range is whole and in order, or as it was', () => {
    fc.assert(
      fc.property(value, fc.constantFrom(completedOnClose, completedOnOutsideClick), (before, leave) => {
        const after = leave(before, TODAY)
        expect(after.dynamic_range).toBe(before.dynamic_range)
        const whole = after.start !== null && after.end !== null && after.start <= after.end
        expect(whole || after === before).toBe(true)
        expect(whole || before.dynamic_range !== 0).toBe(true)
      }),
    )
  })

  it('two clicks make a fixed range of exactly those days', () => {
    fc.assert(
      fc.property(value, day, day, (before, one, other) => {
        const first = pickDay({ ...before, start: null }, one)
        const second = pickDay(first.value, other)
        expect([first.complete, second.complete]).toEqual([false, true])
        expect([second.value.start, second.value.end]).toEqual([one, other].toSorted())
        expect(second.value.dynamic_range).toBe(0)
      }),
    )
  })
})
