import { randomUUID } from 'node:crypto'
import * as fc from 'fast-check'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { identities, type IdentityName } from '#shared/access.ts'
import { startFamily } from '#server/resources/session/queries.ts'
import {
  ACCOUNTS,
  advertiserOf,
  Model,
  type ModelPerson,
  type ModelReport,
  type Outcome,
} from './testing/model.ts'
import { asOf, callerOf, testApi, type ApiResponse } from './testing/api.ts'

/** Twelve people send random requests to the real API; a model of plain sets predicts each response. */
const api = await testApi()
const LONG = process.env['LONG'] !== undefined
const COMMANDS = Number(process.env['COMMANDS'] ?? (LONG ? 20_000 : 300))
const WALK = LONG ? 250 : 100
const REPORTS = '/api/gs-template-setting/'

const cast: readonly ModelPerson[] = (
  [
    ['superuser', 1, []],
    ['external_user', null, [0]],
    ['external_user', null, [0]],
    ['external_user', null, [1]],
    ['external_user', null, [1, 2]],
    ['external_user', null, []],
    ['staff', 2, [0]],
    ['staff', 3, [1]],
    ['staff', 6, []],
    ['manager', 2, []],
    ['manager', 3, [2]],
    ['director', 1, []],
  ] as [IdentityName, number | null, number[]][]
).map(([identity, department, advertisers]) => ({
  identity,
  department,
  advertisers: new Set(advertisers),
  is_open: true,
}))

const names = ['Aurora', 'Borealis', '廣告成效', '週報 weekly', 'Zephyr 星雲']
const verbs = [
  'create',
  'create',
  'share',
  'share',
  'share',
  'unshare',
  'copy',
  'send',
  'file',
  'rename',
  'delete',
  'restore',
  'role',
  'department',
  'membership',
  'close',
  'transfer',
  'run',
  'read',
  'export',
  'list',
  'list',
  'search',
  'table',
  'accounts',
  'people',
  'advertisers',
  'orders',
  'folders',
  'clicks',
] as const
type Verb = (typeof verbs)[number]

/** `n` selects among the candidates. */
interface Command {
  verb: Verb
  who: number
  whom: number
  n: number
}

const commands: fc.Arbitrary<Command> = fc.record({
  verb: fc.constantFrom(...verbs),
  who: fc.nat({ max: cast.length - 1 }),
  whom: fc.nat({ max: cast.length - 1 }),
  n: fc.nat({ max: 999 }),
})

it('the API agrees with a model of plain sets for every person, after any sequence of actions', async () => {
  const counted: Partial<Record<Verb, number>> = {}
  await fc.assert(
    fc.asyncProperty(fc.array(commands, { minLength: WALK, maxLength: WALK, size: 'max' }), async walk => {
      const harness = await build()
      for (const command of walk) {
        const at = `${command.verb} by ${command.who} (${command.whom}, ${command.n})`
        await play(harness, command, (found, expected) => expect([at, found]).toEqual([at, expected]))
        counted[command.verb] = (counted[command.verb] ?? 0) + 1
      }
    }),
    {
      numRuns: Math.ceil(COMMANDS / WALK),
      endOnFailure: !process.env['SHRINK'],
      // With SHRINK=1 a failing walk is reduced to the commands that matter; each try has a database of its
      // own.
      interruptAfterTimeLimit: 3_600_000,
    },
  )
  if (LONG) console.log(JSON.stringify(counted))
  expect(Object.keys(counted).toSorted()).toEqual([...new Set(verbs)].toSorted())
})

interface Harness {
  model: Model
  /** The database's ids, by index. */
  people: number[]
  advertisers: number[]
  accounts: number[]
  /** One of each advertiser. */
  orders: number[]
  folders: number[]
  callers: ReturnType<typeof callerOf>[]
  runs: Map<number, { report: number; execution: string }[]>
}

async function build(): Promise<Harness> {
  const { db } = api
  await sql`truncate users, advertiser, report, ad_account, execution cascade`.execute(db)
  const people: number[] = []
  for (const [at, { identity, department }] of cast.entries()) {
    const { id } = await db
      .insertInto('users')
      .values({
        username: `person ${at}`,
        identity,
        department,
        user_type: identity === 'external_user' ? 2 : 1,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    people.push(id)
  }
  const advertisers: number[] = []
  for (const at of [0, 1, 2]) {
    const members = people.filter((_, who) => cast[who]?.advertisers.has(at))
    advertisers.push(await api.advertiser(`Client ${at}`, members))
  }
  const accounts: number[] = []
  for (let n = 0; n < ACCOUNTS; n++)
    accounts.push(
      await api.account({ advertiser: advertisers[advertiserOf(n)] ?? null, name: `Account ${n}` }),
    )
  const orders: number[] = []
  for (const advertiser of advertisers) {
    const { id } = await db
      .insertInto('quotation')
      .values({
        title: 'An order',
        advertiser,
        owner: people[0] ?? 0,
        currency: 'TWD',
        tax: 'tw_vat',
        media_billing: 'agency',
        language: 'en',
        payment_terms: JSON.stringify({ kind: 'days', days: 30 }),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    orders.push(id)
  }
  const folders: number[] = []
  for (const owner of people) {
    const { id } = await db
      .insertInto('folder')
      .values({ owner, name: 'Folder', layer: 1, parent: null, deleted_at: null })
      .returning('id')
      .executeTakeFirstOrThrow()
    folders.push(id)
  }
  const harness: Harness = {
    model: new Model(cast),
    people,
    advertisers,
    accounts,
    orders,
    folders,
    callers: [],
    runs: new Map(),
  }
  for (const who of cast.keys()) await signIn(harness, who)
  return harness
}

async function signIn(harness: Harness, who: number) {
  const { db, clock, effects, origin } = api
  const claims = await db
    .transaction()
    .execute(trx => startFamily(trx, harness.people[who] ?? 0, asOf(clock.now)))
  const token = await effects.tokens.signAccess(claims, clock.now)
  harness.callers[who] = callerOf(origin, { authorization: `Bearer ${token}` })
}

const outcomes: Record<number, Outcome> = {
  200: 'done',
  201: 'done',
  204: 'done',
  400: 'invalid',
  401: 'signed_out',
  403: 'forbidden',
  404: 'missing',
  409: 'invalid',
}
const outcomeOf = ({ status, body }: ApiResponse) => outcomes[status] ?? `${status} ${JSON.stringify(body)}`

type Compare = (found: unknown, expected: unknown) => void

async function play(harness: Harness, { verb, who, whom, n }: Command, compare: Compare): Promise<void> {
  const { model } = harness
  const caller = harness.callers[who] ?? api.anonymous
  const [superuser = api.anonymous] = harness.callers
  const existing = [...model.reports.keys()]
  // Now and then one that does not exist.
  const id = existing.length === 0 || n % 29 === 0 ? 999_999_999 : (existing[n % existing.length] ?? 0)
  const report = model.reports.get(id)
  const path = `${REPORTS}${id}/`
  const isOpen = model.person(who).is_open
  const idOf = (response: ApiResponse) => (response.body as { id: number }).id
  /** The expected response about a report, and the state of the model after it. */
  const about = (response: ApiResponse, expected: Outcome, effect?: (report: ModelReport) => void) => {
    compare(outcomeOf(response), expected)
    if (expected === 'done' && report) effect?.(report)
  }
  const asSuperuser = async (body: object, expected: Outcome = 'done') => {
    compare(outcomeOf(await superuser.patch(`/api/user/${harness.people[whom]}/`, body)), expected)
  }

  const scripts: Record<Verb, () => Promise<void>> = {
    async create() {
      const usable = model.accounts(who)
      const accounts = new Set(usable.filter((_, at) => (n >> at) % 2 === 1))
      const name = `${names[n % names.length]} ${n}`
      const channels = [...accounts].map(account => block(harness, account))
      const response = await caller.post(REPORTS, { name, channels })
      compare(outcomeOf(response), isOpen ? 'done' : 'signed_out')
      if (!isOpen) return
      const fresh = { is_incomplete: false, is_deleted: false, shares: new Map() }
      model.reports.set(idOf(response), { owner: who, name, accounts, ...fresh })
    },
    async share() {
      const access = n % 2 ? 'viewer' : 'editor'
      const possible =
        report !== undefined && whom !== report.owner && model.mayReceive(who, whom, report.accounts)
      const response = await caller.post(`${path}share/`, { user: harness.people[whom], access })
      about(response, model.outcome(who, id, ['owner', 'superuser'], possible), each =>
        each.shares.set(whom, access),
      )
    },
    async unshare() {
      const may = whom === who ? ['owner', 'superuser', 'editor', 'viewer'] : ['owner', 'superuser']
      const allowed = model.outcome(who, id, may)
      const expected = allowed === 'done' && !report?.shares.has(whom) ? 'missing' : allowed
      about(await caller.delete(`${path}share/${harness.people[whom]}/`), expected, each =>
        each.shares.delete(whom),
      )
    },
    async copy() {
      const response = await caller.post(`${path}copy/`, {})
      about(response, model.outcome(who, id, ANY), copied => {
        const remaining = [...copied.accounts].filter(account => model.accounts(who).includes(account))
        model.reports.set(idOf(response), copyOf(copied, { owner: who, remaining }))
      })
    },
    async send() {
      const possible = report !== undefined && (who === whom || model.mayReceive(who, whom, report.accounts))
      const response = await caller.post(`${path}copy/`, { to_user: harness.people[whom] })
      about(response, model.outcome(who, id, ANY, possible), copied => {
        const remaining = [...copied.accounts].filter(account =>
          [who, whom].every(each => model.accounts(each).includes(account)),
        )
        model.reports.set(idOf(response), copyOf(copied, { owner: whom, remaining }))
      })
    },
    async file() {
      const ownerOfFolder = model.access(who, id) === 'superuser' ? (report?.owner ?? who) : who
      const folder = harness.folders[n % 3 === 0 ? whom : ownerOfFolder]
      const isTheirs = folder === harness.folders[ownerOfFolder]
      const response = await caller.patch(path, { version: await versionOf(id), folder })
      about(response, model.outcome(who, id, ANY, isTheirs))
    },
    async rename() {
      const name = `${names[n % names.length]} again ${n}`
      const response = await caller.patch(path, { version: await versionOf(id), name })
      about(response, model.outcome(who, id, ['owner', 'superuser', 'editor']), each => (each.name = name))
    },
    async delete() {
      const response = await caller.delete(path)
      about(response, model.outcome(who, id, ['owner', 'superuser']), each => (each.is_deleted = true))
    },
    async restore() {
      const deleted = model.ids(each => each.is_deleted)
      const chosen = n % 3 && deleted.length > 0 ? (deleted[n % deleted.length] ?? id) : id
      const access = model.access(who, chosen)
      const may = access === 'owner' || access === 'superuser'
      const hidden = access === null || (!may && model.report(chosen).is_deleted)
      const response = await caller.post(`${REPORTS}${chosen}/restore/`, {})
      const expected = hidden ? 'missing' : may ? 'done' : 'forbidden'
      compare(outcomeOf(response), isOpen ? expected : 'signed_out')
      if (isOpen && expected === 'done') model.report(chosen).is_deleted = false
    },
    async role() {
      if (whom === 0) return
      const identity = identities[n % 5] ?? 'staff'
      const person = model.person(whom)
      const department = identity === 'external_user' ? null : (person.department ?? 2)
      await asSuperuser({ identity, department })
      if (person.identity !== identity && person.is_open) {
        // The session has ended with the old role.
        compare(outcomeOf(await (harness.callers[whom] ?? api.anonymous).get('/api/overview/')), 'signed_out')
        await signIn(harness, whom)
      }
      Object.assign(person, { identity, department })
      model.endStrangeShares(whom)
    },
    async department() {
      const department = [null, 2, 3, 6, 7][n % 5] ?? null
      const person = model.person(whom)
      const fits = (person.identity === 'external_user') === (department === null)
      await asSuperuser({ department }, fits ? 'done' : 'invalid')
      if (fits) person.department = department
    },
    async membership() {
      const advertisers = [0, 1, 2].filter(at => (n >> at) % 2 === 1)
      await asSuperuser({ advertisers: advertisers.map(at => harness.advertisers[at]) })
      model.person(whom).advertisers = new Set(advertisers)
      model.endStrangeShares(whom)
    },
    async close() {
      if (whom === 0) return
      const person = model.person(whom)
      person.is_open = !person.is_open
      await asSuperuser({ is_active: person.is_open ? 1 : 0 })
      if (person.is_open) await signIn(harness, whom)
    },
    async transfer() {
      const owned = model.ids(each => each.owner === who)
      const some = owned.filter((_, at) => (n >> (at % 9)) % 2 === 0)
      const accounts = new Set(some.flatMap(each => [...model.report(each).accounts]))
      const possible = who !== whom && model.mayReceive(0, whom, accounts)
      const response = await superuser.post(`/api/user/${harness.people[who]}/transfer-reports/`, {
        to: harness.people[whom],
        reports: some,
      })
      compare(outcomeOf(response), possible ? 'done' : 'invalid')
      if (!possible) return
      for (const each of some) {
        model.report(each).owner = whom
        model.report(each).shares.delete(whom)
      }
    },
    async run() {
      if (report) await repair(id)
      const response = await caller.post('/api/gs-template-execution/', { reports: [id] })
      const possible = report !== undefined && report.accounts.size > 0 && !report.is_incomplete
      about(response, model.outcome(who, id, ANY, possible), () => {
        const clicked = { report: id, execution: String(idOf(response)) }
        harness.runs.set(who, [...(harness.runs.get(who) ?? []), clicked])
      })
    },
    async read() {
      const response = await caller.get(path)
      about(response, model.outcome(who, id, ANY), ({ name, owner }) => {
        const { access, name: shownName, owner: of } = response.body as Record<string, unknown>
        compare([access, shownName, of], [model.access(who, id), name, harness.people[owner]])
      })
    },
    async export() {
      about(await caller.get(`${path}export/`), model.outcome(who, id, ANY))
      about(await caller.get(`${path}runs/`), model.outcome(who, id, ANY))
    },
    async list() {
      const scope = (['mine', 'shared', 'all', 'seen', 'deleted'] as const)[n % 5] ?? 'seen'
      const query = scope === 'seen' ? '' : scope === 'deleted' ? '&deleted=true' : `&scope=${scope}`
      await listed(`${REPORTS}?limit=100&ordering=id${query}`, model.list(who, scope))
    },
    async search() {
      const text = ['auro', '成效', '星雲', '9', 'copy', 'again 1', '%'][n % 7] ?? ''
      const scope = n % 2 ? 'seen' : 'all'
      const query = `search=${encodeURIComponent(text)}${scope === 'all' ? '&scope=all' : ''}`
      await listed(`${REPORTS}?limit=100&ordering=id&${query}`, model.list(who, scope, text))
    },
    async table() {
      const response = await caller.get(`${REPORTS}?ordering=id&format=csv`)
      compare(outcomeOf(response), isOpen ? 'done' : 'signed_out')
      if (!isOpen) return
      const ids = String(response.body)
        .split('\r\n')
        .slice(1, -1)
        .map(line => Number(line.split(',')[0]))
      compare(ids, model.list(who, 'seen'))
    },
    async accounts() {
      await listed(
        '/api/ad/account/?limit=100&ordering=id',
        model.accounts(who).map(at => harness.accounts[at] ?? 0),
      )
      const at = n % ACCOUNTS
      const expected = model.accounts(who).includes(at) ? 'done' : 'missing'
      compare(
        outcomeOf(await caller.get(`/api/ad/account/${harness.accounts[at]}/`)),
        isOpen ? expected : 'signed_out',
      )
    },
    async people() {
      const visible = harness.people.filter((_, other) => model.seesPerson(who, other))
      await listed('/api/user/?limit=100&ordering=id', visible)
      const expected = model.seesPerson(who, whom) ? 'done' : 'missing'
      compare(
        outcomeOf(await caller.get(`/api/user/${harness.people[whom]}/`)),
        isOpen ? expected : 'signed_out',
      )
    },
    async advertisers() {
      const used = model.isClient(who)
        ? null
        : harness.advertisers.filter((_, at) => model.customers(who).has(at))
      await listed('/api/advertiser/?limit=100&ordering=id', used)
    },
    async orders() {
      const isClient = model.isClient(who)
      const billed = model.billed(who)
      const ids = harness.orders.filter((_, at) => billed.has(at))
      await listed('/api/ad_insertion/quotation/?limit=100&ordering=id', isClient ? null : ids)
      const at = n % 3
      const response = await caller.get(`/api/ad_insertion/quotation/${harness.orders[at]}/`)
      const expected = isClient ? 'forbidden' : billed.has(at) ? 'done' : 'missing'
      compare(outcomeOf(response), isOpen ? expected : 'signed_out')
    },
    async folders() {
      const response = await caller.get('/api/gs-template-folder/')
      compare(outcomeOf(response), isOpen ? 'done' : 'signed_out')
      if (isOpen) compare(foldersIn(response.body), [harness.folders[who]])
    },
    async clicks() {
      const clicked = harness.runs.get(who) ?? []
      const [one] = clicked.slice(n % Math.max(1, clicked.length))
      if (!one || !isOpen) return
      const response = await caller.get(`/api/gs-template-execution/${one.execution}/`)
      // What is no longer shared is no longer part of it; what is deleted still is.
      const expected = model.access(who, one.report) === null ? [] : [one.report]
      compare(
        (response.body as { reports: { report: number }[] }).reports.map(item => item.report),
        expected,
      )
      const other = harness.callers[(who + 1) % cast.length] ?? api.anonymous
      const isOtherOpen = model.person((who + 1) % cast.length).is_open
      const foreign = await other.get(`/api/gs-template-execution/${one.execution}/`)
      compare(outcomeOf(foreign), isOtherOpen ? 'missing' : 'signed_out')
    },
  }
  await scripts[verb]()

  /** null: they may not call this list. */
  async function listed(address: string, expected: readonly number[] | null) {
    const response = await caller.get(address)
    compare(outcomeOf(response), isOpen ? (expected ? 'done' : 'forbidden') : 'signed_out')
    if (!isOpen || !expected) return
    const { count, results } = response.body as {
      count: number
      results: { id?: number; user_id?: number }[]
    }
    compare(
      [count, results.map(result => result.id ?? result.user_id)],
      [expected.length, expected.slice(0, 100)],
    )
  }
}

const ANY = ['owner', 'superuser', 'editor', 'viewer']

const copyOf = (
  { name, accounts, is_incomplete }: ModelReport,
  { owner, remaining }: { owner: number; remaining: number[] },
): ModelReport => ({
  name: `${name.slice(0, 113)} (copy)`,
  owner,
  accounts: new Set(remaining),
  is_incomplete: is_incomplete || remaining.length < accounts.size,
  is_deleted: false,
  shares: new Map(),
})

const block = (harness: Harness, account: number) => ({
  channel: 'fb',
  label: `Block ${account}`,
  accounts: [harness.accounts[account]],
  metrics: ['cost'],
  filters: [],
})

async function versionOf(id: number): Promise<number> {
  const row = await api.db.selectFrom('report').select('version').where('id', '=', id).executeTakeFirst()
  return row?.version ?? 1
}

/** As if its spreadsheet had been checked, so that it can run when it has accounts. */
async function repair(id: number): Promise<void> {
  const target = { spreadsheet_id: randomUUID(), sheet_name: 'Data', target_state: 'ok' }
  await api.db.updateTable('report').set(target).where('id', '=', id).execute()
}

function foldersIn(body: unknown): number[] {
  if (Array.isArray(body)) return body.flatMap(foldersIn)
  const {
    id,
    children = [],
    ...rest
  } = body as { id: number; children?: unknown[]; results?: unknown[]; folders?: unknown[] }
  const inner = [...children, ...(rest.results ?? []), ...(rest.folders ?? [])].flatMap(foldersIn)
  return typeof id === 'number' ? [id, ...inner] : inner
}
