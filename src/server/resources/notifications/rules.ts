import type { BlockOutcome } from '#shared/api/executions.ts'
import type { NoticeDetail } from '#shared/api/notifications.ts'
import type { Channel } from '#shared/channels/catalogue.ts'
import type { NoticeKind } from '#shared/notices.ts'

/** Why a report lacks output: the block, or (null) the run as a whole, and its code. */
export interface Cause {
  channel: Channel | null
  label: string | null
  code: string
}

export interface Incident extends Cause {
  id: number
  /** Whether it ended the run; else the table was written without the block. */
  failed_run: boolean
}

/** A run that has ended; a cancelled one says nothing about its report. */
export interface EndedRun {
  status: 'completed' | 'error'
  code: string | null
  blocks: readonly BlockOutcome[]
}

/** The changes by a run's end: new causes, and incidents that are over. */
export interface Change {
  opened: Cause[]
  over: Incident[]
}

/**
 * An incident begins with the first run that meets its cause. A failed run ends none: it may not have got as
 * far as where the other cause was, and nobody should read "works again" of a report that does not.
 */
export function changeOf(open: readonly Incident[], run: EndedRun): Change {
  const left = [...open]
  const isKnown = (same: (incident: Incident, cause: Cause) => boolean) => (cause: Cause) => {
    const at = left.findIndex(incident => same(incident, cause))
    if (at >= 0) left.splice(at, 1)
    return at >= 0
  }
  // First those of the same name, then those that may have been renamed.
  const unnamed = causesOf(run).filter(cause => !isKnown(isSame)(cause))
  const opened = unnamed.filter(cause => !isKnown(isAlike)(cause))
  return { opened, over: run.status === 'completed' ? left : [] }
}

const isAlike = (one: Cause, other: Cause) => one.channel === other.channel && one.code === other.code
const isSame = (one: Cause, other: Cause) => isAlike(one, other) && one.label === other.label

/** Blocks that lack output; where none of them is why the run failed, the run itself. */
export function causesOf({ status, code, blocks }: EndedRun): Cause[] {
  const lacking = blocks
    .filter(block => block.status === 'error' || block.status === 'no_data')
    .map(block => ({
      channel: block.channel,
      label: block.label,
      code: block.code ?? 'channel_no_data',
    }))
  if (status === 'completed' || lacking.some(cause => cause.code === code)) return lacking
  return [{ channel: null, label: null, code: code ?? 'internal_error' }]
}

export interface NoticeContent {
  kind: NoticeKind
  code: string | null
  detail: NoticeDetail
}

/**
 * The notifications to the owner: one for a new cause, however many blocks it has, and one when something
 * works again.
 */
export function noticesOf(
  { opened, over }: Change,
  run: EndedRun & { last: string | undefined },
): NoticeContent[] {
  const codes = [...new Set(opened.map(cause => cause.code))]
  const kind = run.status === 'error' ? 'report_failed' : 'channels_lack_output'
  const failures = codes.map((code): NoticeContent => {
    const channels = opened.flatMap(cause =>
      cause.code === code && cause.label !== null ? [cause.label] : [],
    )
    return {
      kind,
      code,
      detail: {
        ...(channels.length > 0 && { channels }),
        ...(code === run.code && run.last !== undefined && { last: run.last }),
      },
    }
  })
  return [...failures, ...recoveryOf(over, run)]
}

/**
 * A block that lacks output for another reason now, or that is no longer part of the report, has not
 * recovered.
 */
function recoveryOf(over: readonly Incident[], run: EndedRun): NoticeContent[] {
  if (over.some(incident => incident.failed_run))
    return [{ kind: 'report_recovered', code: null, detail: {} }]
  const works = (incident: Incident) =>
    run.blocks.some(block => block.status === 'ok' && block.channel === incident.channel)
  const channels = [...new Set(over.filter(works).flatMap(incident => incident.label ?? []))]
  return channels.length > 0 ? [{ kind: 'channels_recovered', code: null, detail: { channels } }] : []
}
