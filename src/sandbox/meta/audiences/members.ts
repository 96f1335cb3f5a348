import type { Account } from '#sandbox/dataset/agency.ts'
import { invalid, notVisible } from '#sandbox/meta/errors.ts'
import type { GraphRequest } from '#sandbox/meta/graph.ts'
import { type Audience, type CustomerFile, isCustomerFile } from './audience.ts'
import { flagged, missing, notEmulated, update } from './errors.ts'
import { invalidEntry, type Payload, readPayload, readSession, type SessionOf } from './payload.ts'
import { countBatch, isOver, refuseOtherBatch, type Session } from './sessions.ts'
import { finishReplacement, isFlagged, operationOf, startFilling } from './states.ts'
import type { Audiences } from './store.ts'
import { refuseWithoutTerms } from './terms.ts'

/** POST and DELETE /{audience}/users: more people, or fewer. */
export function changeUsers(request: GraphRequest, audience: Audience, audiences: Audiences): unknown {
  if (request.method === 'GET') throw notVisible(audience.id)
  const batch = readBatch(request)
  const file = uploadable(request, audience, audiences)
  if (operationOf(audience, request.now).code === 414) throw update.in_progress()
  const change = `${request.method} ${audience.id}`
  const session = sessionFor({ ...batch, change }, audience.account, { request, audiences })
  // What comes too late is dropped without a word.
  if (!isOver(session, request.now)) {
    const counted = peopleIn(batch.payload, audiences)
    countBatch(session, batch.session ?? ALONE, counted)
    startFilling(audience, { now: request.now, ms: audiences.fillingMs() })
    for (const person of counted.people) {
      if (request.method === 'POST') file.people.add(person)
      else file.people.delete(person)
    }
  }
  return { audience_id: audience.id, ...reportOf(session) }
}

/** DELETE /act_X/usersofanyaudience: these people leave every customer file of the account. */
export function removeFromAll(request: GraphRequest, account: Account, audiences: Audiences): unknown {
  if (request.method === 'GET') throw notVisible(`act_${account.id}`)
  if (request.method === 'POST') throw notEmulated('adding people to any audience')
  const batch = readBatch(request)
  refuseWithoutTerms(account, audiences.terms)
  const session = sessionFor({ ...batch, change: 'DELETE any' }, account, { request, audiences })
  if (!isOver(session, request.now)) {
    const counted = peopleIn(batch.payload, audiences)
    countBatch(session, batch.session ?? ALONE, counted)
    for (const audience of audiences.of(account, request.now).filter(isCustomerFile)) {
      const { people, replacement } = audience.content
      if (!counted.people.some(person => people.has(person) || replacement?.people.has(person))) continue
      startFilling(audience, { now: request.now, ms: audiences.fillingMs() })
      for (const person of counted.people) {
        people.delete(person)
        replacement?.people.delete(person)
      }
    }
  }
  return reportOf(session)
}

/** POST /{audience}/usersreplace: these people and no others, once the last batch has come. */
export function replaceUsers(request: GraphRequest, audience: Audience, audiences: Audiences): unknown {
  if (request.method !== 'POST') throw notVisible(audience.id)
  const { now } = request
  const { payload, session: position } = readBatch(request)
  if (position === null) throw missing('session')
  const file = uploadable(request, audience, audiences)
  const session = replacingSession(position, audience, { request, audiences, payload })
  const counted = peopleIn(payload, audiences)
  file.replacement ??= { session_id: session.id, first_at: now, people: new Set() }
  for (const person of counted.people) file.replacement.people.add(person)
  countBatch(session, position, counted)
  if (position.last) finishReplacement(audience, { now, ms: audiences.fillingMs() })
  return { audience_id: audience.id, ...reportOf(session) }
}

interface Batch {
  payload: Payload
  session: SessionOf | null
}

interface Context {
  request: GraphRequest
  audiences: Audiences
}

/** The log says how much came, never what. */
function readBatch(request: GraphRequest): Batch {
  const [payload, session] = [readPayload(request), readSession(request)]
  request.parameters.refuseUnknown()
  request.count({
    rows: payload.rows.length,
    columns: payload.keys.length,
    ...(session && { batch: session.seq }),
  })
  return { payload, session }
}

function uploadable({ now }: GraphRequest, audience: Audience, { terms }: Audiences): CustomerFile {
  refuseWithoutTerms(audience.account, terms)
  if (!isCustomerFile(audience)) throw invalid(`People cannot be added to an audience of this subtype`)
  if (isFlagged(audience, now)) throw flagged.upload()
  return audience.content
}

/** The session that a batch of /users belongs to; one that stands alone has its own. */
function sessionFor(
  { payload, session: position, change }: Batch & { change: string },
  account: Account,
  { request, audiences }: Context,
): Session {
  const { now } = request
  if (position === null) {
    const id = String(now * 1000 + payload.rows.length)
    return audiences.sessions.start(account.id, { id, change, schema: payload.schema, first_at: now })
  }
  const known = audiences.sessions.find(account.id, position.id)
  if (known) {
    refuseOtherBatch(known, { change, schema: payload.schema, seq: position.seq })
    return known
  }
  if (position.seq > 1) throw update.no_first_batch()
  return audiences.sessions.start(account.id, {
    id: position.id,
    change,
    schema: payload.schema,
    first_at: now,
  })
}

/** The session that a batch of a replacement belongs to: one at a time, and its first batch comes once. */
function replacingSession(
  position: SessionOf,
  audience: Audience,
  { request: { now }, audiences: { sessions }, payload: { schema } }: Context & { payload: Payload },
): Session {
  const change = `REPLACE ${audience.id}`
  const known = sessions.find(audience.account.id, position.id)
  if (position.seq === 1) {
    const { code } = operationOf(audience, now)
    if (code === 414) throw update.in_progress()
    if (code !== 200) throw update.not_fully_updated()
    if (known) throw known.change === change ? update.finished() : invalid('session_id is used already')
    return sessions.start(audience.account.id, { id: position.id, change, schema, first_at: now })
  }
  if (!known) throw update.no_first_batch()
  refuseOtherBatch(known, { change, schema, seq: position.seq })
  if (known.is_finished) throw update.finished()
  if (isOver(known, now)) throw update.over_time()
  return known
}

const ALONE = { seq: 1, last: true }

/** Whom Meta knows among the rows: each once, by whichever of their hashes it is. */
function peopleIn(payload: Payload, { people: index }: Audiences) {
  const invalidRows: Record<string, string>[] = []
  const people = new Set<number>()
  const forms = payload.keys.map(key => (key === 'EMAIL' ? 'email' : key === 'PHONE' ? 'phone' : null))
  for (const row of payload.rows) {
    const wrong = invalidEntry(row, payload)
    if (wrong) {
      invalidRows.push(wrong)
      continue
    }
    for (const [column, form] of forms.entries()) {
      const person = form && index.find('meta', form, String(row[column]).toLowerCase())
      if (person !== null) people.add(person)
    }
  }
  return { rows: payload.rows.length, invalid: invalidRows, people: [...people] }
}

const reportOf = ({ id, num_received, num_invalid_entries, invalid_entry_samples }: Session) => ({
  session_id: id,
  num_received,
  num_invalid_entries,
  invalid_entry_samples,
})
