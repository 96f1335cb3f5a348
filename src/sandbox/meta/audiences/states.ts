import { type Audience, isCustomerFile } from './audience.ts'

// What Meta says of an audience at a moment: how many people it reaches, whether it can be used, and what is
// being done with it.

const DAY = 24 * 3_600_000
/** A session that nobody ends ends by itself. */
export const SESSION_MS = 90 * 60_000
const UNUSED_MS = 730 * DAY
const NOTICE_MS = 90 * DAY
/** So many people a seed must have, and an audience to be delivered to. */
export const FEWEST_PEOPLE = 100
const SENSITIVE = /arthritis/i

interface State {
  code: number
  description: string
}

/** Starts the work on a change: for a while the audience shows what it had before. */
export function startFilling(
  audience: Audience,
  { now, ms, replaces = false }: { now: number; ms: number; replaces?: boolean },
): void {
  audience.filling = { until: now + ms, size_before: visibleSize(audience, now), replaces }
  audience.changed_at = now
}

/** Ends a replacement whose time is over: what had come by then is what the audience has. */
export function settle(audience: Audience, { now, ms }: { now: number; ms: number }): void {
  if (!isCustomerFile(audience)) return
  const { replacement } = audience.content
  if (replacement === null || now < replacement.first_at + SESSION_MS) return
  finishReplacement(audience, { now: replacement.first_at + SESSION_MS, ms })
}

/** The people of the session become those of the audience. */
export function finishReplacement(audience: Audience, { now, ms }: { now: number; ms: number }): void {
  if (!isCustomerFile(audience) || audience.content.replacement === null) return
  startFilling(audience, { now, ms, replaces: true })
  const { people } = audience.content.replacement
  Object.assign(audience.content, { people, others: 0, replacement: null })
}

export function operationOf(audience: Audience, now: number): State {
  const { content, filling } = audience
  if (isFlagged(audience, now)) return { code: 471, description: 'This audience is flagged' }
  if (isCustomerFile(audience) && audience.content.replacement !== null) return REPLACING
  if (now < filling.until) return filling.replaces ? REPLACING : FILLING
  if (content.subtype === 'WEBSITE' && !content.pixel_fires)
    return { code: 422, description: 'The pixel of this audience has sent nothing for 7 days' }
  if (content.subtype === 'WEBSITE' && !content.prefill)
    return { code: 442, description: 'This audience was not filled with people of the past' }
  if (deleteTimeOf(audience, now) !== null)
    return { code: 100, description: 'This audience was not used for two years and will expire' }
  return { code: 200, description: 'Normal' }
}

export function deliveryOf(audience: Audience, now: number): State {
  if (isFlagged(audience, now)) return { code: 400, description: 'This audience cannot be used.' }
  if (audience.content.subtype !== 'ENGAGEMENT' && visibleSize(audience, now) < FEWEST_PEOPLE)
    return { code: 300, description: 'This audience is too small.' }
  return { code: 200, description: 'This audience is ready for use.' }
}

/** Counts are given to hundreds: 98 of a hundred people, rounded down, and 102, rounded up. */
export function boundsOf(audience: Audience, now: number): { lower: number; upper: number } {
  const { subtype } = audience.content
  const size = visibleSize(audience, now)
  if (subtype === 'ENGAGEMENT' || (subtype === 'LOOKALIKE' && now < audience.filling.until))
    return { lower: -1, upper: -1 }
  return { lower: Math.floor((size * 98) / 10_000) * 100, upper: Math.ceil((size * 102) / 10_000) * 100 }
}

/** When an audience that nobody used for two years goes, in milliseconds; null while it stays. */
export function deleteTimeOf({ changed_at, content }: Audience, now: number): number | null {
  if (content.subtype !== 'CUSTOM' || now < changed_at + UNUSED_MS) return null
  return changed_at + UNUSED_MS + NOTICE_MS
}

/** Meta reads the name, and says so once the audience is filled. */
export const isFlagged = ({ name, filling }: Audience, now: number) =>
  SENSITIVE.test(name) && filling.until > 0 && now >= filling.until

/** How many people the audience shows: what it had before, while Meta works on a change. */
export const visibleSize = (audience: Audience, now: number): number =>
  now < audience.filling.until ? audience.filling.size_before : sizeOf(audience)

function sizeOf({ content }: Audience): number {
  if (content.subtype === 'CUSTOM') return content.people.size + content.others
  return content.subtype === 'ENGAGEMENT' ? 0 : content.size
}

const REPLACING: State = { code: 414, description: 'The people of this audience are being replaced' }
const FILLING: State = { code: 441, description: 'This audience is still being filled' }
