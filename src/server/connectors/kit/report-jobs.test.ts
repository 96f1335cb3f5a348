import { describe, expect, it } from 'vitest'
import { PlatformFailure, ReportPending } from '#server/connectors/connector.ts'
import { jobsInMemory } from '#server/connectors/memory-jobs.ts'
import { RecoverableFailure } from './failures.ts'
import { finishJobs, isStarted, type JobState, type ReportService } from './report-jobs.ts'

const finished: JobState = { state: 'finished' }
const running: JobState = { state: 'running', age_ms: null }
const failed = (failure: PlatformFailure): JobState => ({ state: 'failed', failure })
const broken = failed(new RecoverableFailure('submit_again'))
const tooLarge = failed(new RecoverableFailure('smaller_request'))

/** A platform whose jobs are names, and what became of each submission of them, in their order. */
function platform(states: Record<string, JobState[]>, changes: Partial<ReportService<string>> = {}) {
  const submitted: string[] = []
  const open: number[] = []
  const service: ReportService<string> = {
    keyOf: name => name,
    submit: async name => `${name}#${submitted.push(name)}`,
    poll: async ids => {
      open.push(ids.length)
      return new Map(
        ids.flatMap(id => {
          const [name = '', number = ''] = id.split('#')
          const nth = submitted.slice(0, Number(number)).filter(each => each === name).length
          const state = states[name]?.[nth - 1]
          return state ? [[id, state] as const] : []
        }),
      )
    },
    ...changes,
  }
  return { service, submitted, open }
}

const contextOf = (known = new Map<string, string>()) => ({
  jobs: jobsInMemory(known),
  sleep: async () => {},
})

describe('report jobs', () => {
  it('are submitted once over all attempts of a run', async () => {
    const context = contextOf()
    const states: Record<string, JobState[]> = { a: [running], b: [finished] }
    const { service, submitted } = platform(states)
    await expect(finishJobs(['a', 'b'], service, context)).rejects.toThrow(ReportPending)
    expect(await isStarted('a', service, context)).toBe(true)
    states['a'] = [finished]
    expect(await finishJobs(['a', 'b'], service, context)).toEqual([
      { job: 'a', id: 'a#1' },
      { job: 'b', id: 'b#2' },
    ])
    expect(submitted).toEqual(['a', 'b'])
  })

  it('are submitted again when the platform has failed to prepare them or has lost them', async () => {
    const { service, submitted } = platform({ a: [broken, finished], b: [] })
    await expect(finishJobs(['a', 'b'], service, contextOf())).rejects.toThrow('the report is gone')
    expect(submitted.filter(name => name === 'a')).toEqual(['a', 'a'])
    expect(submitted.filter(name => name === 'b')).toEqual(['b', 'b', 'b'])
  })

  it('fail after three submissions, whichever attempts made them', async () => {
    const context = contextOf(new Map([['a failed', '2']]))
    const { service, submitted } = platform({ a: [broken, finished] })
    await expect(finishJobs(['a'], service, context)).rejects.toThrow(RecoverableFailure)
    expect(submitted).toEqual(['a'])
    expect(await isStarted('a', service, context)).toBe(false)
  })

  it('are not submitted again for what will not pass', async () => {
    const { service, submitted } = platform({ a: [failed(new PlatformFailure('account_access_lost'))] })
    await expect(finishJobs(['a'], service, contextOf())).rejects.toThrow('account_access_lost')
    expect(submitted).toEqual(['a'])
  })

  it('are split when they are too large, in their order', async () => {
    const split = (name: string) => (name.length > 1 ? [...name] : null)
    const { service } = platform({ ab: [tooLarge], a: [finished], b: [finished], c: [finished] }, { split })
    const jobs = await finishJobs(['ab', 'c'], service, contextOf())
    expect(jobs.map(({ job }) => job)).toEqual(['a', 'b', 'c'])
    const { service: whole } = platform({ a: [tooLarge] }, { split })
    await expect(finishJobs(['a'], whole, contextOf())).rejects.toThrow('too_large')
  })

  it('are never more under way than may be', async () => {
    const states = { a: [running], b: [running], c: [finished] }
    const { service, submitted, open } = platform(states, { mostOpen: 2 })
    await expect(finishJobs(['a', 'b', 'c'], service, contextOf())).rejects.toThrow(ReportPending)
    expect(submitted).toEqual(['a', 'b'])
    expect(Math.max(...open)).toBe(2)
  })

  it('wait for a platform that takes no more for now', async () => {
    let room = 1
    const submit = async (name: string) => (room-- > 0 ? name : null)
    const poll = async (ids: string[]) => new Map(ids.map(id => [id, finished]))
    const { service } = platform({}, { submit, poll })
    const pending: unknown = await finishJobs(['a', 'b'], service, contextOf()).catch(error => error)
    expect(pending).toMatchObject({ poll_after_ms: 30_000 })
  })
})
