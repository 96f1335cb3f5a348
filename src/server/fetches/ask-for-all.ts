import type { Page, ReportRequest, Source, ConnectorContext } from '#server/connectors/connector.ts'
import { goodForMinutes } from './freshness.ts'
import { startRecording } from './recording.ts'
import type { Shelf } from './shelf.ts'
import type { Attempt } from './turn.ts'

export interface Asked {
  name: Buffer
  shelf: Shelf
  request: ReportRequest
  source: Source
  context: ConnectorContext
  /** Nobody reads it now: one that is too large to keep is let go of. */
  only_to_keep?: true
}

/** The pages of an answer that this run has claimed, kept for others when the last one has come; others wait no longer when it fails or grows too large. */
export async function* askForAll(attempt: Attempt, asked: Asked): AsyncGenerator<Page> {
  const { name, shelf, request, source, context } = asked
  attempt.asking += 1
  const recording = startRecording()
  const note: ConnectorContext['note'] = said => {
    recording.note(said)
    context.note(said)
  }
  let state: 'claimed' | 'kept' | 'too_large' = 'claimed'
  try {
    for await (const page of source.fetchReport(request, { ...context, note })) {
      if (state === 'claimed' && !(await recording.add(page))) {
        state = 'too_large'
        await shelf.release(name, { is_too_large: true })
        if (asked.only_to_keep) return
        attempt.has_read_unkept = true
      }
      yield page
    }
    if (state === 'too_large') return
    await shelf.keep(name, await recording.finish(), goodForMinutes(request, context.now()))
    state = 'kept'
  } finally {
    if (state === 'claimed') await shelf.release(name, { is_too_large: false })
    attempt.asking -= 1
  }
}

/** Reads an answer for others and for later. */
export async function keepForAll(attempt: Attempt, asked: Asked): Promise<void> {
  const quiet = { ...asked.context, note: () => {} }
  const pages = askForAll(attempt, { ...asked, context: quiet, only_to_keep: true })
  while (!(await pages.next()).done);
}
