import {
  ReportPending,
  type Jobs,
  type Page,
  type ReportRequest,
  type Source,
  type ConnectorContext,
} from '#server/connectors/connector.ts'
import type { Db } from '#server/db/connect.ts'
import { askForAll, keepForAll } from './ask-for-all.ts'
import { isSettled, isShared } from './freshness.ts'
import { inOneOrder, inOrderOf, textOf } from './one-order.ts'
import type { Asker } from './queries.ts'
import { replay } from './recording.ts'
import { openShelf, type Shelf, type ShelfSettings } from './shelf.ts'
import { comeFirst, POLL_AFTER_MS, turnAt, type Attempt } from './turn.ts'

/** Through what runs ask platforms, so that those who want the same of one account cost one fetch. */
export interface SharedFetches {
  /** For one attempt of a run. */
  of(run: Asker, told: Told): { share: Share }
}
/** `public_account`: the shared login behind the source, if there is one. */
type Share = (source: Source, public_account: number | null) => Source

/** Called once for each answer. `at`: when the run that has asked for it did so. */
export interface Told {
  onAsked(): void
  onShared(at: Date): void
}

/**
 * A run reads an answer that another one was given, if that was asked for after this run was wanted and is still as good as new; waits a little for one
 * that another is asking for; or asks, and keeps what it is told. Whatever goes wrong with keeping, the run asks its platform itself. Who may ask which
 * account has been decided before, by the run's plan; each question carries its account and the login that asks, so that it is never answered to another.
 */
export function openSharedFetches(db: Db, settings: ShelfSettings): SharedFetches {
  const shelfOf = openShelf(db, settings)
  return {
    of(asker, told) {
      const shelves = {
        moving: shelfOf(asker),
        settled: shelfOf({ ...asker, wanted_at: asker.settled_since }),
      }
      const attempt: Attempt = { shelves, busy: new Map(), asking: 0, has_read_unkept: false }
      return { share: (source, public_account) => shared(source, { public_account, attempt, told }) }
    },
  }
}

interface Sharing {
  public_account: number | null
  attempt: Attempt
  told: Told
}

function shared(source: Source, sharing: Sharing): Source {
  const questionOf = (request: ReportRequest, now: Date): SharedQuestion => {
    const asked = inOneOrder(request)
    const { attempt, public_account } = sharing
    const shelf = attempt.shelves[isSettled(asked, now) ? 'settled' : 'moving']
    return { asked, shelf, name: shelf.nameOf([public_account, source.login_id, textOf(asked)]) }
  }
  return {
    ...source,
    async prepare(request, context) {
      if (!isShared(request)) return await source.prepare(request, context)
      const question = questionOf(request, context.now())
      const next = await comeFirst(sharing.attempt, question.name)
      await prepare(question, { source, context, sharing }).finally(next)
    },
    async *fetchReport(request, context) {
      if (!isShared(request)) return yield* source.fetchReport(request, context)
      const question = questionOf(request, context.now())
      const next = await comeFirst(sharing.attempt, question.name)
      try {
        for await (const page of fetchReport(question, { source, context, sharing }))
          yield inOrderOf(request, question.asked, page)
      } finally {
        next()
      }
    },
  }
}

interface SharedQuestion {
  asked: ReportRequest
  shelf: Shelf
  name: Buffer
}
interface At {
  source: Source
  context: ConnectorContext
  sharing: Sharing
}

async function* fetchReport(
  { asked, shelf, name }: SharedQuestion,
  { source, context, sharing }: At,
): AsyncGenerator<Page> {
  const { attempt, told } = sharing
  const turn = await turnAt(name, { attempt, shelf, request: asked, context })
  if (turn.state === 'kept') {
    if (!turn.is_own) told.onShared(turn.asked_at)
    return yield* replay(turn.answer, context.note)
  }
  told.onAsked()
  if (turn.state === 'mine')
    return yield* askForAll(attempt, { name, shelf, request: asked, source, context })
  attempt.has_read_unkept = true
  attempt.asking += 1
  try {
    yield* source.fetchReport(asked, context)
  } finally {
    attempt.asking -= 1
  }
}

/** Where a platform makes its answer meanwhile, only one run has it begun; that one reads it as soon as it is there, for all. */
async function prepare(
  { asked, shelf, name }: SharedQuestion,
  { source, context, sharing }: At,
): Promise<void> {
  const { attempt, told } = sharing
  const { state } = await shelf.find(name)
  if (state === 'kept' || state === 'held') return
  if (state === 'being_made') throw new ReportPending(POLL_AFTER_MS)
  if (state === 'too_large' || state === 'trouble') return await source.prepare(asked, context)
  let is_made_for_all = false
  const claim = async () => {
    const is_mine = await shelf.claim(name, { waits: true })
    if (is_mine === false) throw new ReportPending(POLL_AFTER_MS)
    is_made_for_all = is_mine === true
  }
  try {
    if (state === 'being_made_for_me') await claim()
    await source.prepare(asked, { ...context, jobs: claiming(context.jobs, claim) })
  } catch (error) {
    if (is_made_for_all && !(error instanceof ReportPending))
      await shelf.release(name, { is_too_large: false })
    throw error
  }
  if (!is_made_for_all) return
  told.onAsked()
  await keepForAll(attempt, { name, shelf, request: asked, source, context })
}

/** Nothing is begun at a platform before the question is this run's to ask. */
const claiming = (jobs: Jobs, claim: () => Promise<void>): Jobs => ({
  ...jobs,
  async startOnce(key, begin, kind) {
    if (kind === 'note') return await jobs.startOnce(key, begin, kind)
    const claimed = async () => {
      await claim()
      return await begin()
    }
    return await jobs.startOnce(key, claimed)
  },
})
