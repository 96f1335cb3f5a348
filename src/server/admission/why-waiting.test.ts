import { describe, expect, it } from 'vitest'
import { at, newRun, waitlist } from './testing/position.ts'
import { whyWaiting } from './why-waiting.ts'

describe('why a run waits', () => {
  it('is a worker, before its first attempt and once its time has come', () => {
    expect(whyWaiting({ ...newRun, ahead: 4 })).toEqual({ for: 'worker', ahead: 4 })
    const due = { ...newRun, ahead: null, why: 'retry' as const, resumes_at: at(-1) }
    expect(whyWaiting(due)).toEqual({ for: 'worker', ahead: null })
  })

  it('is its position, as long as it is in the waitlist of the spreadsheet service', () => {
    const position = { ...waitlist, is_in_it: true, waiting: 9, before: 3, first_at: at(2), next_at: at(11) }
    const wait = whyWaiting({ ...newRun, ahead: null, why: 'quota', resumes_at: at(8), waitlist: position })
    expect(wait).toEqual({ for: 'position', ahead: 3, until: at(5) })
  })

  it('is what its last attempt reported, until the time set by it', () => {
    const resting = { ...newRun, ahead: null, resumes_at: at(600) }
    expect(whyWaiting({ ...resting, why: 'platform' })).toEqual({ for: 'platform', until: at(600) })
    expect(whyWaiting({ ...resting, why: 'turn' })).toEqual({ for: 'turn', until: at(600) })
    expect(whyWaiting(resting)).toEqual({ for: 'unknown', until: at(600) })
  })

  it('is nothing while a worker executes it', () => {
    for (const status of ['fetching', 'writing'])
      expect(whyWaiting({ ...newRun, status, why: 'retry' })).toBeNull()
  })
})
