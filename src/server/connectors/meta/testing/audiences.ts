import { createHash } from 'node:crypto'
import { z } from 'zod'
import {
  audienceSourceOf,
  type AudienceOperations,
  type Batch,
  type MemberRows,
  type Target,
  type Upload,
} from '#server/connectors/audience.ts'
import type { AccountRef } from '#server/connectors/connector.ts'
import { testContext } from '#server/connectors/testing/context.ts'
import { sandboxOfFile } from '#server/connectors/testing/sandbox.ts'
import { metaAudiences } from '#server/connectors/meta/audiences.ts'

export const NOW = '2026-11-21T04:00:00Z'
export const MINUTE = 60_000

/** Accounts of the sandbox, by what tests need them for. */
export const aurora = account('10150357160960121')
export const outlet = account('10150357160960122')
export const delta = account('10150622911041007')
export const ember = account('10150733820019008')
export const revoked = account('10150844730556013')

/** Meta's audiences at the sandbox of a test file; the clock of both is moved by `wait`. */
export function metaAudiencesOfFile() {
  const sandbox = sandboxOfFile(NOW)
  const clock = { now: Date.parse(NOW) }
  let uploads = 7000
  const operations = (access_token = 'sandbox-admin'): AudienceOperations =>
    audienceSourceOf(metaAudiences, { access_token, app_secret: 'sandbox-app-secret' }).open({
      ...testContext(LATER, NOW),
      fetch: (to, init) => fetch(String(to).replace(LATER, sandbox.base_url), init),
      now: () => new Date(clock.now),
    })
  const control = (path: string, body: object) =>
    fetch(`${sandbox.base_url}/control/${path}`, { method: 'PUT', body: JSON.stringify(body) })
  const of = operations()

  return {
    sandbox,
    operations,
    of,
    control,
    /** The token of a person who agrees to one permission. */
    async consentTo(scope: string): Promise<string> {
      const client = { client_id: '460133700014200', redirect_uri: 'http://127.0.0.1:3000/oauth/callback' }
      const page = new URLSearchParams({ ...client, scope, response_type: 'code', state: 'state' })
      const agreed = await fetch(`${sandbox.base_url}/v25.0/dialog/oauth?${page}`, {
        method: 'POST',
        body: new URLSearchParams({ person: 'agency-admin', decision: 'agree', scope }),
        redirect: 'manual',
      })
      const code = new URL(agreed.headers.get('location') ?? '').searchParams.get('code') ?? ''
      const exchange = new URLSearchParams({ ...client, client_secret: 'sandbox-app-secret', code })
      const granted = await fetch(`${sandbox.base_url}/v25.0/oauth/access_token?${exchange}`)
      return z.object({ access_token: z.string() }).parse(await granted.json()).access_token
    },
    start: () => void (clock.now = Date.parse(NOW)),
    async wait(ms: number) {
      clock.now += ms
      await sandbox.setClock({ now: new Date(clock.now).toISOString(), speed: 0 })
    },
    uploadOf: (changes: Partial<Upload> = {}): Upload => ({
      session: (uploads += 1),
      action: 'add',
      rows: 0,
      batches: 1,
      begun_at: new Date(clock.now),
      ...changes,
    }),
    /** The whole of an upload, each batch a list of people; the target as it is afterwards. */
    async upload(target: Target, upload: Upload, batches: readonly (readonly number[])[]): Promise<Target> {
      let now = { ...target, ...(await of.begin(target, upload)) }
      for (const [at, people] of batches.entries()) {
        const [sent] = await of.send([now], batchOf(upload, people, { at, of: batches.length }))
        now = { ...now, ...sent }
      }
      return { ...now, ...(await of.finish(now, upload)) }
    },
  }
}

/** Everybody of a list: `from` up to, not including, `to`. */
export const people = (to: number, from = 0) => Array.from({ length: to - from }, (_, at) => from + at)

export const rowsOf = (list: readonly number[]): MemberRows => ({
  columns: ['email', 'email_google', 'phone', 'phone_e164'],
  rows: list.map(person => {
    const phone = `88691${String(person).padStart(7, '0')}`
    return [sha256(`person.${person}@mail.demo`), '', sha256(phone), sha256(`+${phone}`)]
  }),
})

export function batchOf(upload: Upload, list: readonly number[], { at = 0, of = 1 } = {}): Batch {
  return {
    upload,
    index: at + 1,
    is_last: at + 1 === of,
    chunks: (async function* () {
      yield rowsOf(list)
    })(),
  }
}

/** The address of the sandbox is known once it has started. */
const LATER = 'http://sandbox.invalid'

let tags = 0
export function targetOf(changes: Partial<Target> = {}): Target {
  const [part] = metaAudiences.parts
  if (!part) throw new Error('no part')
  return {
    account: aurora,
    part,
    audience: {
      name: 'Aurora VIP 2026',
      description: 'Members',
      tag: `sheetcast-${(tags += 1)}`,
      collected_by: 'advertiser',
      consent: { ad_user_data: 'granted', ad_personalization: 'granted' },
      window_days: 540,
    },
    external_id: null,
    progress: {},
    ...changes,
  }
}

function account(external_id: string): AccountRef {
  return { provider: 'meta', external_id, currency: 'TWD', timezone: 'Asia/Taipei', via: null }
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
