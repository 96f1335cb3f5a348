import { hash } from 'node:crypto'
import type { Batch, MemberRows, Target, Upload } from '#server/connectors/audience.ts'
import type { AccountRef } from '#server/connectors/connector.ts'
import { googleAdsAudiences } from '#server/connectors/google-ads/audiences.ts'

// What the tests of audiences share: people of the sandbox as rows of hashes, an upload of them, a share.

const COLUMNS = ['email', 'email_google', 'phone', 'phone_e164'] as const
const sha = (text: string) => hash('sha256', text)

/** Rows of the people from one number on; only their e-mail when `isMail`. */
export function rowsOf(count: number, { from = 0, isMail = false } = {}): MemberRows {
  const rows = Array.from({ length: count }, (_, index) => {
    const phone = `88691${String(from + index).padStart(7, '0')}`
    const mail = sha(`person.${from + index}@mail.demo`)
    return isMail ? [mail, '', '', ''] : [mail, '', sha(phone), sha(`+${phone}`)]
  })
  return { columns: COLUMNS, rows }
}

export const batchOf = (upload: Upload, chunk: MemberRows, index = 1): Batch => ({
  upload,
  index,
  is_last: index === upload.batches,
  chunks: (async function* () {
    yield chunk
  })(),
})

export const uploadOf = (action: Upload['action'], session: number, begunAt: string): Upload => ({
  session,
  action,
  rows: 1,
  batches: 1,
  begun_at: new Date(begunAt),
})

const [part = { part: 'all', columns: COLUMNS }] = googleAdsAudiences.parts

export const targetIn = (account: AccountRef, audience: Partial<Target['audience']> = {}): Target => ({
  account,
  part,
  audience: {
    name: 'Aurora VIP 2026',
    description: 'Customers of the year',
    tag: 'sheetcast-5-31',
    collected_by: 'advertiser',
    consent: { ad_user_data: 'granted', ad_personalization: 'granted' },
    window_days: 540,
    ...audience,
  },
  external_id: null,
  progress: {},
})
