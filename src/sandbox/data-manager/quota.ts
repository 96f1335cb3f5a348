import { z } from 'zod'
import type { Limits } from '#sandbox/control/control.ts'
import { refused } from './errors.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

const Sizes = z.strictObject({
  ingestion_per_minute: z.int().positive().default(300),
  ingestion_per_day: z.int().positive().default(100_000),
  others_per_minute: z.int().positive().default(300),
  others_per_day: z.int().positive().default(50_000),
})
const Values = z.strictObject({ data_manager_quota: Sizes })
const USUAL = Sizes.parse({})

type Kind = 'ingestion' | 'others'
/** Google's names of the quotas; of those but the first only the form is known. */
const NAMES = {
  ingestion_per_minute: 'IngestionMutateRequestsPerMinutePerProject',
  ingestion_per_day: 'IngestionMutateRequestsPerDayPerProject',
  others_per_minute: 'RequestsPerMinutePerProject',
  others_per_day: 'RequestsPerDayPerProject',
} as const

/** What a Cloud project may send: changes of members have a quota of their own. */
export function createQuota() {
  let sizes = USUAL
  const sent = new Map<string, { minute: number[]; day: number; ofDay: number }>()
  const limits: Limits = {
    names: ['data_manager_quota'],
    get: () => ({ data_manager_quota: sizes }),
    set: values => void (sizes = Values.parse(values).data_manager_quota),
  }
  const refuse = (name: keyof typeof NAMES, project: string): never => {
    const metadata = { quota_limit: NAMES[name], quota_limit_value: String(sizes[name]) }
    throw refused('RESOURCE_EXHAUSTED', {
      status: 429,
      metadata: { ...metadata, service: 'datamanager.googleapis.com', consumer: `projects/${project}` },
    })
  }
  return {
    limits,
    count(kind: Kind, project: string, now: number): void {
      const key = `${kind} ${project}`
      const day = Math.floor(now / DAY)
      const before = sent.get(key)
      const minute = (before?.minute ?? []).filter(at => at > now - MINUTE && at <= now)
      const ofDay = before?.day === day ? before.ofDay : 0
      if (minute.length >= sizes[`${kind}_per_minute`]) refuse(`${kind}_per_minute`, project)
      if (ofDay >= sizes[`${kind}_per_day`]) refuse(`${kind}_per_day`, project)
      sent.set(key, { minute: [...minute, now], day, ofDay: ofDay + 1 })
    },
    reset() {
      sizes = USUAL
      sent.clear()
    },
  }
}
