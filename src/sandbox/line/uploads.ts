import { z } from 'zod'
import { accountById } from '#sandbox/dataset/account-id.ts'
import { LINE_ACCOUNTS, type LineAccount } from '#sandbox/dataset/line.ts'
import { createPeopleIndex, type IdentifierForm } from '#sandbox/dataset/mail-people.ts'
import { PeopleBits } from '#sandbox/dataset/people-bits.ts'
import { linesOf, type SentFile } from '#sandbox/http/multipart.ts'
import { type Remembered, rememberedAs } from '#sandbox/memory.ts'
import { isRecord } from '#sandbox/record.ts'
import { OFFSETS } from './accounts.ts'
import { type AccountCall, type Audience, roleOf } from './audiences.ts'
import { forbidden, LineError, notEmulated, refused } from './errors.ts'

const LARGEST_FILE = 60 * 1024 * 1024
const LONGEST_NAME = 120
/** Uploads with REPLACE that an account may have under way. */
const MOST_REPLACING = 3

/** LINE's rule for phones can be read in two ways: both forms are found. */
const FORMS = {
  HASHED_EMAIL: ['email'],
  HASHED_PHONE_NUMBER: ['phone', 'phone_e164'],
} as const satisfies Record<string, readonly IdentifierForm[]>
type IdType = keyof typeof FORMS

const Job = z.object({
  action: z.enum(['ADD', 'REPLACE']),
  /** Whom the file finds. */
  people: PeopleBits,
  created_at: z.number(),
  ends_at: z.number(),
  has_failed: z.boolean(),
})
type Job = z.output<typeof Job>

const Group = z.object({
  id: z.number(),
  account: accountById(LINE_ACCOUNTS),
  name: z.string(),
  id_type: z.enum(['HASHED_EMAIL', 'HASHED_PHONE_NUMBER']),
  created_at: z.number(),
  /** Oldest first; each takes the list from where the one before it leaves it. */
  jobs: z.array(Job),
})
type Group = z.output<typeof Group>

const Stored = z.object({ count: z.number(), groups: z.array(Group) })

export interface Uploads {
  groups: Map<string, Group>
  people: ReturnType<typeof createPeopleIndex>
  audiencesOf(account: LineAccount, now: number): Audience[]
  nextId(): number
  remembered: Remembered
  reset(): void
}

export function createUploads(): Uploads {
  const groups = new Map<string, Group>()
  let count = 0
  return {
    groups,
    people: createPeopleIndex(),
    audiencesOf: (account, now) =>
      [...groups.values()].filter(group => group.account.id === account.id).map(group => wireOf(group, now)),
    nextId: () => 9_100_000_000 + ++count,
    remembered: rememberedAs(Stored, {
      get: () => ({ count, groups: [...groups.values()] }),
      set(stored) {
        count = stored.count
        groups.clear()
        for (const group of stored.groups) groups.set(String(group.id), group)
      },
    }),
    reset() {
      groups.clear()
      count = 0
    },
  }
}

/** POST /adaccounts/{id}/custom-audiences/upload, a multipart body: a new audience, or more of one. */
export function uploadAudience(call: AccountCall): Audience {
  const { parameters, form, uploads, now, fill_ms, faults } = call
  refuseOthers(call)
  parameters.refuseUnknown()
  if (!form) throw refused('REQUIRED_REQUEST_BODY')
  const { name, id, action, idType, ...others } = form.fields
  const unknown = [...Object.keys(others), ...Object.keys(form.files).filter(file => file !== 'file')][0]
  if (unknown !== undefined) throw refused('INVALID_REQUEST', unknown)
  if (action !== 'ADD' && action !== 'REPLACE') throw refused('INVALID_ENUM', 'action')
  const type = idTypeOf(idType)
  const people = peopleOf(hashesOf(form.files['file']), type, uploads)
  if ((name === undefined) === (id === undefined)) throw refused('REQUIRED', 'name')
  const group = id === undefined ? newGroup(nameOf(name), type, call) : groupOf(call, id)
  if (group.id_type !== type) throw refused('INVALID_VALUE', 'idType')
  if (action === 'REPLACE' && replacingIn(call) >= MOST_REPLACING) throw new LineError(429, 'TOO_MANY')
  const endsAt = Math.max(now, group.jobs.at(-1)?.ends_at ?? now) + fill_ms
  const fails = faults.some(fault => fault.action === 'upload_failed')
  group.jobs.push({ action, people, created_at: now, ends_at: endsAt, has_failed: fails })
  uploads.groups.set(String(group.id), group)
  return wireOf(group, now)
}

/** GET /adaccounts/{id}/custom-audiences/{id}/upload-job */
export function uploadJobs(call: AccountCall, id: string): unknown {
  const { parameters, account, now } = call
  if (roleOf(call) === 'reporting') throw forbidden('PARTNER_PERMISSION_DENIED')
  parameters.refuseUnknown()
  const group = groupOf(call, id)
  const jobs = group.jobs.map((job, index) => ({
    audienceGroupId: group.id,
    audienceGroupJobId: index + 1,
    type: job.action === 'ADD' ? 'DIFF_ADD' : 'REPLACE',
    jobStatus: statusOf(job, group.jobs[index - 1], now),
    failedType: job.has_failed && now >= job.ends_at ? 'INTERNAL_ERROR' : null,
    audienceCount: now >= job.ends_at ? job.people.size : 0,
    created: timeOf(job.created_at, account),
  }))
  return { jobs: jobs.toReversed() }
}

/** POST /adaccounts/{id}/custom-audiences/{id} */
export function renameAudience(call: Omit<AccountCall, 'body'> & { body: unknown }, id: string): Audience {
  const { parameters, body, now } = call
  refuseOthers(call)
  parameters.refuseUnknown()
  const group = groupOf(call, id)
  if (!isRecord(body)) throw refused('INVALID_FORMAT')
  const unknown = Object.keys(body).find(name => name !== 'name')
  if (unknown !== undefined) throw refused('INVALID_REQUEST', unknown)
  group.name = nameOf(body['name'])
  return wireOf(group, now)
}

/** DELETE /adaccounts/{id}/custom-audiences/{id}?ids={id}: the id twice. */
export function deleteAudience(call: AccountCall, id: string): void {
  const { parameters, uploads } = call
  refuseOthers(call)
  const ids = parameters.all('ids')
  parameters.refuseUnknown()
  if (ids.length === 0) throw refused('REQUIRED', 'ids')
  if (ids.length !== 1 || ids[0] !== id) throw refused('INVALID_VALUE', 'ids')
  uploads.groups.delete(String(groupOf(call, id).id))
}

/** Only data providers change audiences; ad tech partners read them. */
function refuseOthers(call: Pick<AccountCall, 'caller' | 'account'>): void {
  if (roleOf(call) !== 'data_provider') throw forbidden('PARTNER_PERMISSION_DENIED')
}

function idTypeOf(text: string | undefined): IdType {
  if (text === undefined) throw refused('REQUIRED', 'idType')
  if (Object.hasOwn(FORMS, text)) return text as IdType
  throw text === 'IFA' ? notEmulated('idType IFA') : refused('INVALID_ENUM', 'idType')
}

/** The lines of a file that begins with a hash: none has a heading. */
function hashesOf(file: SentFile | undefined): string[] {
  if (!file) throw refused('REQUIRED', 'file')
  if (!/\.(csv|txt)$/i.test(file.name)) throw refused('INVALID_FORMAT', 'file')
  if (file.bytes.length > LARGEST_FILE) throw refused('OUT_OF_RANGE', 'file')
  const lines = linesOf(file)
  if (!/^[0-9a-f]{64}$/.test(lines[0] ?? '')) throw refused('INVALID_FORMAT', 'file')
  return lines
}

function peopleOf(hashes: readonly string[], type: IdType, { people }: Uploads): Set<number> {
  const found = hashes.flatMap(line => FORMS[type].map(form => people.find('line', form, line)))
  return new Set(found.filter(person => person !== null))
}

function nameOf(name: unknown): string {
  if (typeof name !== 'string' || name === '') throw refused('REQUIRED', 'name')
  if (name.length > LONGEST_NAME) throw refused('OUT_OF_RANGE', 'name')
  return name
}

const newGroup = (name: string, type: IdType, { account, uploads, now }: AccountCall): Group => ({
  id: uploads.nextId(),
  account,
  name,
  id_type: type,
  created_at: now,
  jobs: [],
})

function groupOf({ account, uploads }: Pick<AccountCall, 'account' | 'uploads'>, id: string): Group {
  const group = uploads.groups.get(id)
  if (group?.account.id === account.id) return group
  const always = 9_000_000_000 + account.number * 100
  if (Number(id) >= always && Number(id) < always + 4)
    throw notEmulated('changes of audiences that were always there')
  throw refused('ENTITY_NOT_FOUND_INVALID_ID', 'id')
}

const replacingIn = ({ account, uploads, now }: AccountCall) =>
  [...uploads.groups.values()]
    .filter(group => group.account.id === account.id)
    .flatMap(group => group.jobs)
    .filter(job => job.action === 'REPLACE' && now < job.ends_at).length

function statusOf(job: Job, before: Job | undefined, now: number) {
  if (now >= job.ends_at) return job.has_failed ? 'FAILED' : 'FINISHED'
  return before && now < before.ends_at ? 'QUEUED' : 'WORKING'
}

function wireOf(group: Group, now: number): Audience {
  const ended = group.jobs.filter(job => now >= job.ends_at)
  const good = ended.filter(job => !job.has_failed)
  const people = good.reduce<ReadonlySet<number>>(
    (list, job) => (job.action === 'ADD' ? list.union(job.people) : job.people),
    new Set(),
  )
  const isWorking = ended.length < group.jobs.length
  return {
    id: String(group.id),
    name: group.name,
    functionType: `${group.id_type}_UPLOAD`,
    status: isWorking ? 'IN_PROGRESS' : ended.at(-1)?.has_failed ? 'FAILED' : 'READY',
    estimatedAudienceSize:
      good.length === 0 ? '-' : people.size <= 100 ? '100 or fewer' : String(people.size),
    created: timeOf(group.created_at, group.account),
  }
}

/** In the zone of the account, of which none changes its clocks here. */
function timeOf(time: number, account: LineAccount): string {
  const offset = OFFSETS[account.time_zone]
  const hours = Number(offset.slice(0, 3))
  return `${new Date(time + hours * 3_600_000).toISOString().slice(0, 19)}${offset}`
}
