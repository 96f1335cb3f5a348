import type { MetaFault } from '#sandbox/control/faults.ts'
import type { Account } from '#sandbox/dataset/agency.ts'
import { isoOf } from '#sandbox/dataset/calendar.ts'
import { GraphError } from '#sandbox/meta/errors.ts'
import type { GraphRequest } from '#sandbox/meta/graph.ts'
import { type Page } from '#sandbox/meta/paging.ts'
import { page } from './page.ts'
import type { Query } from './query.ts'
import { sizeOf } from './rows.ts'

/** A report job: it advances one step with every poll, so that no clock decides what a test sees. */
interface Job {
  id: string
  query: Query
  token: string
  started: number
  steps: Step[]
  polls: number
  finished: number | null
}

interface Step {
  async_status: string
  async_percent_completion: number
  error?: { error_code: number; error_subcode: number; error_message: string }
}

export interface Jobs {
  start(query: Query, request: GraphRequest): { report_run_id: string }
  find(id: string): Job | null
  poll(job: Job, request: GraphRequest): Record<string, unknown>
  result(job: Job, request: GraphRequest): Page
  reset(): void
}

const RUN_DAYS = 30
/** Jobs for reach with a breakdown and old data, per account and day. */
const RARE_REACH_JOBS = 10
/** The account whose jobs are too large takes this many days at once. */
const MOST_DAYS = 14

export function createJobs(): Jobs {
  const jobs = new Map<string, Job>()
  const skipped = new Set<string>()
  const rare = new Map<string, number>()
  let count = 0

  return {
    start(query, request) {
      if (query.rare_reach) countRareReach(rare, query.account, request.now)
      count++
      const id = `6${String(request.now).padStart(13, '0')}${String(count).padStart(4, '0')}`.slice(0, 18)
      const outcome = outcomeOf(query, request, skipped)
      jobs.set(id, {
        id,
        query,
        token: request.caller.token,
        started: request.now,
        steps: stepsOf(outcome, sizeOf(query, request.dataset).ad_days),
        polls: 0,
        finished: null,
      })
      return { report_run_id: id }
    },
    find: id => jobs.get(id) ?? null,
    poll(job, { now }) {
      const step = job.steps[Math.min(job.polls, job.steps.length - 1)]
      job.polls++
      const done = step !== undefined && job.polls >= job.steps.length
      if (done) job.finished ??= now
      return {
        id: job.id,
        account_id: job.query.account.id,
        time_ref: Math.floor(job.started / 1000),
        ...(job.finished !== null && { time_completed: Math.floor(job.finished / 1000) }),
        async_status: step?.async_status,
        async_percent_completion: step?.async_percent_completion,
        date_start: isoOf(Math.min(...job.query.slices.map(slice => slice.first))),
        date_stop: isoOf(Math.max(...job.query.slices.map(slice => slice.last))),
        ...step?.error,
      }
    },
    result(job, request) {
      const last = job.steps.at(-1)
      const expired = request.now - job.started > RUN_DAYS * 86_400_000
      if (job.finished === null || last?.async_status !== 'Job Completed' || expired) {
        throw new GraphError(400, 2601, '(#2601) Loading async job results before it completed', {
          error_subcode: 1815107,
          is_transient: true,
        })
      }
      return page(job.query, request, `${job.id} ${job.query.text}`)
    },
    reset() {
      jobs.clear()
      skipped.clear()
      rare.clear()
    },
  }
}

type Outcome = 'done' | 'failed' | 'too_much' | 'skipped'

function outcomeOf(query: Query, { faults }: GraphRequest, skipped: Set<string>): Outcome {
  const { traits } = query.account
  const struck = (action: MetaFault['action']) => faults.some(fault => fault.action === action)
  if (struck('async_failed') || traits.includes('async_failed')) return 'failed'
  if (struck('async_too_much')) return 'too_much'
  const days = query.slices.reduce((sum, slice) => sum + slice.last - slice.first + 1, 0)
  if (traits.includes('async_too_much') && days > MOST_DAYS) return 'too_much'
  if (struck('async_skipped')) return 'skipped'
  const key = `${query.account.id} ${query.text}`
  if (traits.includes('async_skipped') && !skipped.has(key)) {
    skipped.add(key)
    return 'skipped'
  }
  skipped.delete(key)
  return 'done'
}

function stepsOf(outcome: Outcome, adDays: number): Step[] {
  const running = { async_status: 'Job Running', async_percent_completion: 40 }
  switch (outcome) {
    case 'failed':
      return [running, failure(-2, 2490547, 'The report could not be generated. Please try again.')]
    case 'too_much':
      return [
        running,
        failure(-3, 1504045, "Please reduce the amount of data you're asking for, then retry your request"),
      ]
    case 'skipped':
      return [{ async_status: 'Job Skipped', async_percent_completion: 0 }]
    case 'done':
      if (adDays < 20_000) return [running, { async_status: 'Job Completed', async_percent_completion: 100 }]
      return [
        { async_status: 'Job Not Started', async_percent_completion: 0 },
        running,
        // The job claims to be completed, and is not: only together with 100 percent is it true.
        { async_status: 'Job Completed', async_percent_completion: 95 },
        { async_status: 'Job Completed', async_percent_completion: 100 },
      ]
  }
}

const failure = (error_code: number, error_subcode: number, error_message: string) => ({
  async_status: 'Job Failed',
  async_percent_completion: 40,
  error: {
    error_code,
    error_subcode,
    error_message,
    error_user_title: 'Report failed',
    error_user_msg: error_message,
  },
})

function countRareReach(rare: Map<string, number>, account: Account, now: number): void {
  const key = `${account.id} ${Math.floor(now / 86_400_000)}`
  const used = rare.get(key) ?? 0
  if (used >= RARE_REACH_JOBS) {
    throw new GraphError(
      400,
      4,
      '(#4) Reach-related metric breakdowns are unavailable due to rate limit threshold.',
      { error_subcode: 1504022, is_transient: true },
    )
  }
  rare.set(key, used + 1)
}
