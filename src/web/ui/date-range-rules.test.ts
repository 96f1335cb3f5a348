import { describe, expect, it } from 'vitest'
import {
  chooseDynamic,
  completedOnClose,
  completedOnOutsideClick,
  pickDay,
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

  it('leaves a dynamic range alone', () => {
    const dynamic = { ...november, end: null, dynamic_range: 5 }
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
