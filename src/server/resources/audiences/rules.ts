import { countryCodes } from '#shared/countries.ts'
import { isInternal, type Person } from '#shared/access.ts'
import type { AudienceKind, Consent } from '#shared/audiences.ts'
import type { CreateAudience, UpdateAudience } from '#shared/api/audiences.ts'
import type { ErrorCode } from '#shared/errors.ts'
import type { z } from 'zod'

/** Employees have every plan. */
export const mayWriteAudiences = (person: Person, { plan }: { plan: number }): boolean =>
  isInternal(person) || plan === ADVANCED

const ADVANCED = 1

type Facts = z.output<typeof CreateAudience>
type Field = Exclude<keyof Facts, 'advertiser' | 'kind' | 'name' | 'description'>

interface KindRule {
  required: readonly Field[]
  optional: readonly Field[]
  /** Of those that are left out. */
  defaults: Partial<Pick<Facts, 'collected_by' | 'consent' | 'window_days' | 'keep_days'>>
  most_window_days?: number
}

const unknown: Consent = { ad_user_data: 'unknown', ad_personalization: 'unknown' }

/** What an audience of each kind is made of. */
const kinds: Record<AudienceKind, KindRule> = {
  customer_file: {
    required: [],
    optional: ['collected_by', 'basis', 'consent', 'window_days', 'keep_days'],
    defaults: { collected_by: 'advertiser', consent: unknown, window_days: 540, keep_days: 30 },
    most_window_days: 540,
  },
  website: {
    required: ['site', 'rule'],
    optional: ['window_days'],
    defaults: { window_days: 30 },
    most_window_days: 180,
  },
  lookalike: { required: ['seed', 'country', 'ratio'], optional: [], defaults: {} },
  ga4: { required: ['ga4_view', 'ga4_audience'], optional: [], defaults: {} },
}

const allFields = [
  ...new Set(Object.values(kinds).flatMap(({ required, optional }) => [...required, ...optional])),
]

export type FieldProblems = Partial<Record<Field, readonly ErrorCode[]>>

/** What is wrong with the fields of a new audience, as far as they themselves say. */
export function problemsOf(facts: Facts): FieldProblems {
  const { required, optional, most_window_days = 0 } = kinds[facts.kind]
  const known = [...required, ...optional]
  const problems: FieldProblems = {}
  for (const field of allFields)
    if (facts[field] !== undefined && !known.includes(field)) problems[field] = ['field_not_available']
    else if (facts[field] === undefined && required.includes(field)) problems[field] = ['field_required']
  if (!problems.window_days && (facts.window_days ?? 0) > most_window_days)
    problems.window_days = ['field_invalid']
  if (!problems.country && facts.country !== undefined && !countryCodes.includes(facts.country))
    problems.country = ['field_invalid']
  return problems
}

/** The same of a change. */
export function problemsOfChange(
  kind: AudienceKind,
  changes: Omit<z.output<typeof UpdateAudience>, 'version'>,
): FieldProblems {
  const { required, optional } = kinds[kind]
  const known = [...required, ...optional]
  return Object.fromEntries(
    allFields
      .filter(field => field in changes && !known.includes(field))
      .map(field => [field, ['field_not_available']]),
  )
}

export const withDefaults = (facts: Facts): Facts => ({ ...kinds[facts.kind].defaults, ...facts })

const DAY_MS = 24 * 60 * 60_000

/** When our copy of hashes that were uploaded at that time is destroyed. */
export const expiryOf = (uploadedAt: Date, { keep_days }: { keep_days: number | null }): Date =>
  new Date(uploadedAt.getTime() + (keep_days ?? 0) * DAY_MS)
