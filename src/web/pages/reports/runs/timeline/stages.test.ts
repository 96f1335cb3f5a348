import { describe, expect, it } from 'vitest'
import type { RunStretch } from '#shared/api/executions.ts'
import { stagesOf } from './stages.ts'

const at = (seconds: number) => new Date(Date.UTC(2026, 10, 20, 9, 0, seconds)).toISOString()
const stretch = (phase: RunStretch['phase'], seconds: number): RunStretch => ({
  phase,
  at: at(seconds),
  attempt: 1,
  taken_over: false,
  why: null,
  code: null,
  times: 1,
})

describe('the stages of a run', () => {
  it('go from the queue to the end, each until the next', () => {
    const timeline = [stretch('fetching', 2), stretch('storing', 7), stretch('writing', 8)]
    const stages = stagesOf({
      queued_at: at(0),
      started_at: at(2),
      finished_at: at(10),
      status: 'completed',
      timeline,
    })
    expect(stages.map(({ name, took_ms }) => [name, took_ms])).toEqual([
      ['queued', 2000],
      ['fetching', 5000],
      ['storing', 1000],
      ['writing', 2000],
      ['completed', null],
    ])
  })

  it('have no end while the run goes on, and no negative length where clocks disagree', () => {
    const timeline = [stretch('fetching', 5), stretch('waiting', 4)]
    const stages = stagesOf({
      queued_at: at(0),
      started_at: at(5),
      finished_at: null,
      status: 'queued',
      timeline,
    })
    expect(stages.map(({ name, took_ms }) => [name, took_ms])).toEqual([
      ['queued', 5000],
      ['fetching', 0],
      ['waiting', null],
    ])
  })

  it('of an old run are its beginning, its start and its end', () => {
    const stages = stagesOf({
      queued_at: at(0),
      started_at: at(1),
      finished_at: at(3),
      status: 'error',
      timeline: [],
    })
    expect(stages.map(({ name }) => name)).toEqual(['queued', 'fetching', 'error'])
  })
})
