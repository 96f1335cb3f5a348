import { z } from 'zod'
import { platformFacts, type Platform } from '#shared/platforms.ts'
import { sources } from '#server/connectors/all.ts'
import type { RefusalFacts } from '#server/http/refusal.ts'
import type { Login } from './logins.ts'

type Fields = NonNullable<RefusalFacts['fields']>

/**
 * Why this is no login to the platform, by field; null when it is one, as far as that can be checked without
 * the platform.
 */
export function whyNotLogin(platform: Platform, login: Login): Fields | null {
  return whyNotKnown(platform, login) ?? whyNotWhole(platform, login) ?? whyNotReadable(platform, login)
}

function whyNotKnown(platform: Platform, login: Login): Fields | null {
  const { fields } = platformFacts(platform)
  const unknown = Object.keys(login).filter(field => !Object.hasOwn(fields, field))
  return problems(unknown, 'field_unknown')
}

/**
 * One of the platform's sets of fields has to be complete; missing fields are reported for the nearest one.
 */
function whyNotWhole(platform: Platform, login: Login): Fields | null {
  const lacking = platformFacts(platform).needs.map(set => set.filter(field => !Object.hasOwn(login, field)))
  const partial = lacking.filter(
    (fields, at) => fields.length < (platformFacts(platform).needs[at]?.length ?? 0),
  )
  const [nearest = []] = (partial.length > 0 ? partial : lacking).toSorted((a, b) => a.length - b.length)
  return problems(nearest, 'field_required')
}

/** What the platform's connector reads from it: it could not use anything else. */
function whyNotReadable(platform: Platform, login: Login): Fields | null {
  const { fields } = platformFacts(platform)
  const broken = Object.keys(login).filter(field => !fields[field]?.long && hasControls(login[field] ?? ''))
  if (broken.length > 0) return problems(broken, 'field_invalid')
  try {
    sources[platform](login)
    return null
  } catch (error) {
    const named = error instanceof z.ZodError ? fieldsIn(error.issues) : []
    const guilty = [...new Set(named)].filter(field => Object.hasOwn(login, field))
    return problems(guilty, 'field_invalid') ?? { login: ['field_invalid'] }
  }
}

/** A line break in a token comes from pasting, and no header can carry it. */
const hasControls = (text: string) => /\p{Cc}/u.test(text)

/** The fields that any issue is about; of alternatives, the issues of each. */
function fieldsIn(issues: readonly z.core.$ZodIssue[]): string[] {
  return issues.flatMap(issue => [
    ...(issue.path.length > 0 ? [String(issue.path[0])] : []),
    ...(issue.code === 'invalid_union' ? issue.errors.flatMap(fieldsIn) : []),
  ])
}

const problems = (fields: readonly string[], code: Fields[string][number]): Fields | null =>
  fields.length === 0 ? null : Object.fromEntries(fields.map(field => [`login.${field}`, [code]]))
