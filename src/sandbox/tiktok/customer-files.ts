import { hash } from 'node:crypto'
import { z } from 'zod'
import { createPeopleIndex, type IdentifierForm } from '#sandbox/dataset/mail-people.ts'
import { PeopleBits } from '#sandbox/dataset/people-bits.ts'
import { linesOf } from '#sandbox/http/multipart.ts'
import { type Remembered, rememberedAs } from '#sandbox/memory.ts'
import { advertiserFor } from './access.ts'
import { type Audience, few, ownAudience } from './audiences.ts'
import { invalid, notEmulated } from './errors.ts'
import type { Parameters } from './parameters.ts'
import type { Call } from './routes.ts'

const MOST_FILES = 49
const LONGEST_NAME = 128
/** An audience of fewer people is not used, and none may be made that small by an update. */
const FEWEST_PEOPLE = 1000
const DAY = 86_400_000
/** Of an audience without a retention, since its last use. */
const USUAL_RETENTION = 365
const EXPIRING = 60 * DAY

const FORMS = { EMAIL_SHA256: 'email', PHONE_SHA256: 'phone_e164' } as const satisfies Record<
  string,
  IdentifierForm
>
type CalculateType = keyof typeof FORMS
const ACTIONS = ['APPEND', 'REMOVE', 'REPLACE'] as const

/** A file that was uploaded: whom TikTok finds with it. The hashes themselves are not kept. */
const UploadedFile = z.object({
  advertiser_id: z.string(),
  calculate_type: z.enum(['EMAIL_SHA256', 'PHONE_SHA256']),
  people: PeopleBits,
})

const Change = z.object({
  action: z.string(),
  action_detail: z.string(),
  editor: z.string(),
  msg: z.string(),
  opt_time: z.string(),
})
type Change = z.output<typeof Change>

/** An audience that was made of files. */
const CustomerFile = z.object({
  id: z.string(),
  advertiser_id: z.string(),
  name: z.string(),
  calculate_type: UploadedFile.shape.calculate_type,
  /** Found with all files so far; counted once each. */
  people: PeopleBits,
  /** What is shown until they are counted. */
  counted_before: z.number(),
  counted_at: z.number(),
  replaced_at: z.number().nullable(),
  created_at: z.number(),
  used_at: z.number(),
  retention_in_days: z.number().nullable(),
  /** Newest first. */
  history: z.array(Change),
})
type CustomerFile = z.output<typeof CustomerFile>

const Stored = z.object({
  count: z.number(),
  files: z.array(z.tuple([z.string(), UploadedFile])),
  audiences: z.array(CustomerFile),
})

export interface CustomerFiles {
  files: Map<string, z.output<typeof UploadedFile>>
  audiences: Map<string, CustomerFile>
  people: ReturnType<typeof createPeopleIndex>
  audiencesOf(advertiserId: string, now: number): Audience[]
  historyOf(audienceId: string): readonly Change[]
  nextId(): string
  remembered: Remembered
  reset(): void
}

export function createCustomerFiles(): CustomerFiles {
  const files: CustomerFiles['files'] = new Map()
  const audiences = new Map<string, CustomerFile>()
  let count = 0
  return {
    files,
    audiences,
    people: createPeopleIndex(),
    audiencesOf: (advertiserId, now) =>
      [...audiences.values()]
        .filter(audience => audience.advertiser_id === advertiserId)
        .map(audience => wireOf(audience, now)),
    historyOf: id => audiences.get(id)?.history ?? [],
    // Beyond 2^53: an id is a text.
    nextId: () => `1790000000000${String(++count).padStart(6, '0')}`,
    remembered: rememberedAs(Stored, {
      get: () => ({ count, files: [...files], audiences: [...audiences.values()] }),
      set(stored) {
        count = stored.count
        files.clear()
        audiences.clear()
        for (const [path, file] of stored.files) files.set(path, file)
        for (const audience of stored.audiences) audiences.set(audience.id, audience)
      },
    }),
    reset() {
      files.clear()
      audiences.clear()
      count = 0
    },
  }
}

/** POST /dmp/custom_audience/file/upload/, a multipart body. */
export function uploadFile({ parameters, caller, state: { customer_files } }: Call): unknown {
  const account = advertiserFor(caller, parameters.required('advertiser_id'))
  const calculateType = calculateTypeOf(parameters)
  const file = parameters.file('file')
  const name = parameters.text('file_name') ?? file.name
  const signature = parameters.required('file_signature')
  parameters.notEmulated('context_info')
  parameters.refuseUnknown()
  if (!/\.(csv|txt)$/i.test(name)) throw invalid('file_name: Only csv and txt files are supported.')
  const lines = linesOf(file)
  if (lines.length === 0) throw invalid('file: The file is empty.')
  if (signature !== hash('md5', file.bytes)) {
    throw invalid('file_signature: The signature does not match the MD5 of the file.')
  }
  const found = lines.map(line => customer_files.people.find('tiktok', FORMS[calculateType], line))
  const filePath = `${account.id}/${customer_files.nextId()}/${name}`
  const people = new Set(found.filter(person => person !== null))
  customer_files.files.set(filePath, { advertiser_id: account.id, calculate_type: calculateType, people })
  return { file_path: filePath }
}

/** POST /dmp/custom_audience/create/ */
export function createAudience({ parameters, caller, now, fill_ms, state }: Call): unknown {
  const { customer_files } = state
  const account = advertiserFor(caller, parameters.required('advertiser_id'))
  const name = nameOf(parameters.required('custom_audience_name'))
  const calculateType = calculateTypeOf(parameters)
  const retention =
    parameters.json('retention_in_days') === null
      ? null
      : parameters.whole('retention_in_days', { usual: USUAL_RETENTION, most: USUAL_RETENTION })
  const people = peopleOf(parameters, {
    advertiser_id: account.id,
    calculate_type: calculateType,
    customer_files,
  })
  refuseOptions(parameters)
  const id = customer_files.nextId()
  customer_files.audiences.set(id, {
    id,
    advertiser_id: account.id,
    name,
    calculate_type: calculateType,
    people,
    counted_before: 0,
    counted_at: now + fill_ms,
    replaced_at: null,
    created_at: now,
    used_at: now,
    retention_in_days: retention,
    history: [changeOf('create', now)],
  })
  return { custom_audience_id: id }
}

/** POST /dmp/custom_audience/update/: renames, or changes who is in it. */
export function updateAudience(call: Call): unknown {
  const { parameters, caller, now, fill_ms } = call
  const { customer_files } = call.state
  const account = advertiserFor(caller, parameters.required('advertiser_id'))
  const { audience_id } = ownAudience(account, parameters.required('custom_audience_id'), call)
  const audience = customer_files.audiences.get(audience_id)
  const name = parameters.text('custom_audience_name')
  const action = parameters.choice('action', ACTIONS) ?? 'REPLACE'
  if (!audience) throw notEmulated('changes of audiences that are no customer files')
  const listed = parameters.list('file_paths') ? peopleOf(parameters, { ...audience, customer_files }) : null
  refuseOptions(parameters)
  if (name === null && listed === null) throw invalid('file_paths: Missing data for required field.')
  const changed = { ...audience, name: name === null ? audience.name : nameOf(name), used_at: now }
  if (!listed) {
    customer_files.audiences.set(audience_id, changed)
    return {}
  }
  const isReplacing = audience.replaced_at !== null && now < audience.replaced_at
  if (action === 'REPLACE' && isReplacing) {
    throw invalid('The audience is being updated, please try again later.')
  }
  const people = AFTER[action](audience.people, listed)
  if (people.size < FEWEST_PEOPLE) {
    throw invalid(`The audience size after the update cannot be less than ${FEWEST_PEOPLE}.`)
  }
  customer_files.audiences.set(audience_id, {
    ...changed,
    people,
    counted_before: wireOf(audience, now).cover_num,
    counted_at: now + fill_ms,
    replaced_at: action === 'REPLACE' ? now + fill_ms : audience.replaced_at,
    history: [changeOf(action.toLowerCase(), now), ...audience.history],
  })
  return {}
}

/** POST /dmp/custom_audience/delete/ */
export function deleteAudiences(call: Call): unknown {
  const { parameters, caller, state } = call
  const account = advertiserFor(caller, parameters.required('advertiser_id'))
  const ids = few(parameters, 'custom_audience_ids', 100)
  parameters.refuseUnknown()
  for (const id of ids) ownAudience(account, id, call)
  if (ids.some(id => !state.customer_files.audiences.has(id))) {
    throw notEmulated('the deletion of audiences that are no customer files')
  }
  for (const id of ids) {
    state.customer_files.audiences.delete(id)
    state.shares.delete(id)
  }
  return {}
}

type People = Set<number>
const AFTER: Record<(typeof ACTIONS)[number], (before: People, files: People) => People> = {
  APPEND: (before, files) => before.union(files),
  REMOVE: (before, files) => before.difference(files),
  REPLACE: (_, files) => files,
}

/** Whom the files of a request find together. */
function peopleOf(
  parameters: Parameters,
  of: { advertiser_id: string; calculate_type: CalculateType; customer_files: CustomerFiles },
): People {
  const paths = few(parameters, 'file_paths', MOST_FILES)
  const files = paths.map(path => {
    const file = of.customer_files.files.get(path)
    if (file?.advertiser_id !== of.advertiser_id) throw invalid(`file_paths: ${path} does not exist.`)
    if (file.calculate_type !== of.calculate_type) {
      throw invalid(`file_paths: ${path} is not of the calculate_type ${of.calculate_type}.`)
    }
    return file
  })
  return new Set(files.flatMap(({ people }) => [...people]))
}

const OTHER_TYPES = /^(IDFA|GAID|UID|FIRST|AAID|EMAIL|PHONE)_(MD5|SHA256)$|^(IDFA|GAID|AAID)$/

function calculateTypeOf(parameters: Parameters): CalculateType {
  const type = parameters.required('calculate_type')
  if (Object.hasOwn(FORMS, type)) return type as CalculateType
  if (OTHER_TYPES.test(type)) throw notEmulated(`calculate_type ${type}`)
  throw invalid(`calculate_type: ${type} is not supported.`)
}

function nameOf(name: string): string {
  if (name.length > LONGEST_NAME) throw invalid(`custom_audience_name: Longer than ${LONGEST_NAME}.`)
  return name
}

function refuseOptions(parameters: Parameters): void {
  parameters.notEmulated('audience_sub_type', 'audience_enhancement')
  parameters.refuseUnknown()
}

function wireOf(audience: CustomerFile, now: number): Audience {
  const { created_at, used_at, retention_in_days, people } = audience
  const expiresAt =
    (retention_in_days === null ? used_at : created_at) + (retention_in_days ?? USUAL_RETENTION) * DAY
  const isCounted = now >= audience.counted_at
  return {
    audience_id: audience.id,
    name: audience.name,
    audience_type: 'Customer File Audience',
    audience_sub_type: 'NORMAL',
    calculate_type: audience.calculate_type,
    cover_num: isCounted ? people.size : audience.counted_before,
    is_valid: isCounted && people.size >= FEWEST_PEOPLE && now < expiresAt,
    is_expiring: now < expiresAt && now > expiresAt - EXPIRING,
    owner_id: audience.advertiser_id,
    create_time: timeOf(created_at),
    expired_time: timeOf(expiresAt),
  }
}

const changeOf = (action: string, now: number): Change => ({
  action,
  action_detail: '',
  editor: 'open_api',
  msg: '',
  opt_time: timeOf(now),
})

/** 2026-11-20 04:00:00, UTC. */
const timeOf = (time: number) => new Date(time).toISOString().slice(0, 19).replace('T', ' ')
