import { hash } from 'node:crypto'
import type {
  AccountAccess,
  AudienceOperations,
  AudiencePart,
  AudienceSource,
  PartStatus,
  Target,
  Upload,
} from '#server/connectors/audience.ts'
import { PlatformFailure } from '#server/connectors/connector.ts'

/** An audience as the platform has it. */
interface Held {
  id: string
  account: string
  part: string
  tag: string
  members: Set<string>
  recipients: Set<string>
  /** What a replacement has got so far, by session. */
  staged: Map<number, Set<string>>
}

export interface Call {
  name: string
  accounts: string[]
  session?: number
  action?: string
  index?: number
  is_last?: boolean
  rows?: number
  recipients?: string[]
}

interface Faults {
  /** Before a call has any effect; what it throws is the platform's answer. */
  before?: (call: Call) => void
  /** After its effect: the answer is lost. */
  after?: (call: Call) => void
  check?: (account: string) => Partial<AccountAccess>
  poll?: (target: Target, members: number) => Partial<PartStatus>
}

const EMAIL: AudiencePart = { part: 'all', columns: ['email'] }

interface Facts extends Partial<Omit<AudienceSource, 'open'>> {
  /** Takes people out of all lists of an account at once. */
  erases?: boolean
}

/** A platform that keeps people and remembers calls; as strict as the contract lets platforms be. */
export function fakePlatform({ erases = false, ...facts }: Facts = {}) {
  const audiences: Held[] = []
  const calls: Call[] = []
  const batches = new Map<string, string>()
  const faults: Faults = {}
  const protocol: string[] = []
  let made = 0

  const held = (id: string | null) => {
    const found = audiences.find(each => each.id === id)
    if (!found) throw new PlatformFailure('audience_gone')
    return found
  }
  const make = ({ account, part, audience }: Target): Held => {
    const known = audiences.find(
      each => each.account === account.external_id && each.part === part.part && each.tag === audience.tag,
    )
    if (known) return known
    made += 1
    const [members, recipients, staged] = [new Set<string>(), new Set<string>(), new Map()]
    const fresh = { id: `audience-${made}`, account: account.external_id, part: part.part }
    audiences.push({ ...fresh, tag: audience.tag, members, recipients, staged })
    return make({ account, part, audience, external_id: null, progress: {} })
  }
  async function during<Result>(call: Call, work: () => Promise<Result>): Promise<Result> {
    calls.push(call)
    faults.before?.(call)
    const result = await work()
    faults.after?.(call)
    return result
  }
  const accountsOf = (targets: readonly Target[]) => targets.map(({ account }) => account.external_id)
  const uploadCall = (name: string, target: Target, { session, action }: Upload): Call => ({
    name,
    accounts: accountsOf([target]),
    session,
    action,
  })

  const operations: AudienceOperations = {
    check: async account => ({
      result: 'ok',
      business: null,
      fix_url: null,
      message: null,
      ...faults.check?.(account.external_id),
    }),
    begin: (target, upload) =>
      during(uploadCall('begin', target, upload), async () => {
        const audience = target.external_id === null ? make(target) : held(target.external_id)
        if (upload.action === 'replace' && !audience.staged.has(upload.session))
          audience.staged.set(upload.session, new Set())
        return { external_id: audience.id, progress: { ...target.progress, session: upload.session } }
      }),
    async send(targets, { upload, index, is_last, chunks }) {
      const rows: string[] = []
      for await (const chunk of chunks) {
        const column = chunk.columns.findIndex(each => targets[0]?.part.columns.includes(each))
        rows.push(...chunk.rows.map(row => row[column] ?? '').filter(value => value !== ''))
      }
      const call = { ...uploadCall('send', { ...first(targets) }, upload), index, is_last }
      return await during({ ...call, accounts: accountsOf(targets), rows: rows.length }, async () =>
        targets.map(target => {
          const audience = held(target.external_id)
          const place = `${audience.id} ${upload.session} ${index}`
          const content = hash('sha256', rows.join())
          if ((batches.get(place) ?? content) !== content) protocol.push(`${place} has changed`)
          if (index > 1 && !batches.has(`${audience.id} ${upload.session} ${index - 1}`))
            protocol.push(`${place} before the one before it`)
          batches.set(place, content)
          apply(audience, upload, rows)
          return {
            external_id: audience.id,
            progress: target.progress,
            request_id: `request-${calls.length}`,
          }
        }),
      )
    },
    finish: (target, upload) =>
      during(uploadCall('finish', target, upload), async () => {
        const audience = held(target.external_id)
        const staged = audience.staged.get(upload.session)
        if (upload.action === 'replace' && staged) audience.members = new Set(staged)
        return { external_id: audience.id, progress: {} }
      }),
    poll: target =>
      during({ name: 'poll', accounts: accountsOf([target]) }, async () => {
        const { members } = held(target.external_id)
        const ready = { state: 'ready', size: String(members.size), match: null, code: null } as const
        return { ...ready, poll_after_ms: 1000, ...faults.poll?.(target, members.size) }
      }),
    remove: target =>
      during({ name: 'remove', accounts: accountsOf([target]) }, async () => {
        const at = audiences.findIndex(({ id }) => id === target.external_id)
        if (at >= 0) audiences.splice(at, 1)
      }),
    share: (home, recipients) => {
      const to = recipients.map(({ external_id }) => external_id)
      return during({ name: 'share', accounts: accountsOf([home]), recipients: to }, async () =>
        to.forEach(recipient => held(home.external_id).recipients.add(recipient)),
      )
    },
    unshare: (home, { external_id }) =>
      during({ name: 'unshare', accounts: accountsOf([home]), recipients: [external_id] }, async () => {
        held(home.external_id).recipients.delete(external_id)
      }),
    ...(erases && {
      erase: ({ external_id }, { rows }) =>
        during({ name: 'erase', accounts: [external_id] }, async () => {
          const lists = audiences.filter(({ account }) => account === external_id)
          for (const { members } of lists) for (const [value = ''] of rows) members.delete(value)
          return lists.length > 0 ? 'done' : 'nothing_there'
        }),
    }),
    createVisitors: target =>
      during({ name: 'create', accounts: accountsOf([target]) }, async () => ({
        external_id: make(target).id,
        progress: {},
      })),
    createLookalike: (target, { seed_external_id }) =>
      during({ name: 'create', accounts: accountsOf([target]) }, async () => {
        held(seed_external_id)
        return { external_id: make(target).id, progress: {} }
      }),
  }
  const source: AudienceSource = {
    parts: [EMAIL],
    batch_chunks: 1,
    targets_at_once: 1,
    removes_members: true,
    ...facts,
    open: () => operations,
  }
  return {
    source,
    operations,
    audiences,
    calls,
    faults,
    protocol,
    /** Who is in the audience of an account, in order. */
    members: (account: string, part = 'all') =>
      audiences
        .filter(each => each.account === account && each.part === part)
        .map(({ members }) => [...members].toSorted()),
    names: () => calls.map(({ name }) => name),
  }
}
export type FakePlatform = ReturnType<typeof fakePlatform>

function apply({ members, staged }: Held, { action, session }: Upload, rows: readonly string[]) {
  const into = action === 'replace' ? staged.get(session) : members
  if (!into) throw new PlatformFailure('platform_error', { platform_message: 'no session' })
  for (const row of rows) {
    if (action === 'remove') into.delete(row)
    else into.add(row)
  }
}

function first(targets: readonly Target[]): Target {
  const [target] = targets
  if (!target) throw new Error('no target')
  return target
}
