import { hash } from 'node:crypto'
import type { AudienceOperations, Batch, MemberRows, Target, Upload } from '#server/connectors/audience.ts'
import type { AccountRef } from '#server/connectors/connector.ts'
import type { MemberColumn } from '#shared/audiences.ts'

// Lists of people, and how a job sends them: each step with what the one before it has returned.

const textOf: Partial<Record<MemberColumn, (person: number) => string>> = {
  email: person => `person.${person}@mail.demo`,
  phone: person => `88691${String(person).padStart(7, '0')}`,
  phone_e164: person => `+88691${String(person).padStart(7, '0')}`,
}
const COLUMNS: MemberColumn[] = ['email', 'email_google', 'phone', 'phone_e164']

/** People of the sandbox by number, `to` left out; each with all columns that identify. */
export const people = (from: number, to: number, columns: MemberColumn[] = COLUMNS): MemberRows => ({
  columns,
  rows: Array.from({ length: to - from }, (_, index) =>
    columns.map(column => {
      const text = textOf[column]?.(from + index)
      return text === undefined ? '' : hash('sha256', text)
    }),
  ),
})

export const targetOf = (
  account: AccountRef,
  part: Target['part'],
  changes: Partial<Target> = {},
): Target => ({
  account,
  part,
  audience: {
    name: 'Aurora VIP 2026',
    description: '',
    tag: 'lta-5-31',
    collected_by: 'advertiser',
    consent: { ad_user_data: 'granted', ad_personalization: 'granted' },
    window_days: 540,
  },
  external_id: null,
  progress: {},
  ...changes,
})

export const uploadOf = (begun_at: string, changes: Partial<Upload> = {}): Upload => ({
  session: 7,
  action: 'add',
  rows: 0,
  batches: 1,
  begun_at: new Date(begun_at),
  ...changes,
})

export const batchOf = (upload: Upload, index: number, ...chunks: MemberRows[]): Batch => ({
  upload,
  index,
  is_last: index === upload.batches,
  chunks: (async function* () {
    yield* chunks
  })(),
})

/** A whole upload, a batch for each list of people; the target as it is afterwards. */
export async function sendAll(
  { begin, send, finish }: AudienceOperations,
  target: Target,
  { upload, lists }: { upload: Upload; lists: MemberRows[] },
): Promise<Target> {
  let now: Target = { ...target, ...(await begin(target, upload)) }
  for (const [at, list] of lists.entries()) {
    const [sent] = await send([now], batchOf(upload, at + 1, list))
    now = { ...now, ...(sent && { external_id: sent.external_id, progress: sent.progress }) }
  }
  return { ...now, ...(await finish(now, upload)) }
}
