import { describe, expect, it } from 'vitest'
import type { Client } from '#server/http/testing/api.ts'
import { expectRefusal, testApi } from '#server/http/testing/api.ts'
import { randomBelow } from '#server/testing/random.ts'
import { reportIn, REPORTS } from '#server/resources/reports/testing/requests.ts'
import { accountOf, block, BULK_OPERATIONS, definitionOf, replaceIn, undoIn } from './testing/requests.ts'

const api = await testApi()
const PATH = `${BULK_OPERATIONS}replace-account/`

/** A person with two accounts of one client. */
async function ready(identity: 'staff' | 'external_user' = 'staff') {
  const client = await api.signedIn(identity)
  const advertiser = await api.advertiser(`Advertiser of ${client.user.username}`, [client.user.id])
  const from = await accountOf(api, { advertiser, name: 'Old', external_id: `old-${client.user.id}` })
  const to = await accountOf(api, { advertiser, name: 'New', external_id: `new-${client.user.id}` })
  const one = async (accounts: number[], more: object = {}) => {
    const { id } = await client.report({ channels: [block(accounts)], ...more })
    return id
  }
  const replace = async (body: object = {}) => replaceIn(await client.post(PATH, { from, to, ...body }))
  const read = async (id: number) => reportIn(await client.get(`${REPORTS}${id}/`))
  return { ...client, advertiser, from, to, one, replace, read }
}

const outcomes = ({ results }: { results: { id: number; status: string; code: string | null }[] }) =>
  new Map(results.map(({ id, status, code }) => [id, code ?? status]))

describe('replacing an account', () => {
  it('replaces it in every report that uses it, and leaves the others unchanged', async () => {
    const me = await ready()
    const third = await accountOf(api, { advertiser: me.advertiser })
    const alone = await me.one([me.from])
    const beside = await me.one([third, me.from, me.to])
    const other = await me.one([third])
    const done = await me.replace()
    expect(outcomes(done)).toEqual(
      new Map([
        [alone, 'ok'],
        [beside, 'ok'],
      ]),
    )
    expect(done.left_out).toBe(0)
    expect((await me.read(alone)).channels[0]?.accounts).toEqual([me.to])
    expect((await me.read(beside)).channels[0]?.accounts).toEqual([third, me.to])
    expect(await me.read(other)).toMatchObject({ version: 1, channels: [{ accounts: [third] }] })
    const audit = await api.db
      .selectFrom('audit')
      .selectAll()
      .where('action', '=', 'report.replace_account')
      .where('actor', '=', me.user.id)
      .execute()
    expect(audit.map(({ object_id }) => Number(object_id)).toSorted()).toEqual([alone, beside].toSorted())
    expect(
      await api.db.selectFrom('report_account').select('ad_account').where('report', '=', alone).execute(),
    ).toEqual([{ ad_account: me.to }])
  })

  it('counts conversions by a definition of the new account’s client', async () => {
    const me = await ready()
    const conversion = await definitionOf(api, me.advertiser)
    const other = await api.advertiser(`Other of ${me.user.username}`, [me.user.id])
    const theirs = await accountOf(api, { advertiser: other })
    const third = await accountOf(api, { advertiser: me.advertiser })
    const meant = async (accounts: number[]) =>
      await me.one(accounts, { channels: [block(accounts, { conversion }), block([third], { conversion })] })
    const [alone, beside] = [await meant([me.from]), await meant([me.from, third])]
    const conversionsOf = async (id: number) => (await me.read(id)).channels.map(each => each.conversion)

    await me.replace({ reports: [{ id: alone }] })
    expect(await conversionsOf(alone)).toEqual([conversion, conversion])
    const own = await definitionOf(api, other)
    await me.replace({ from: me.to, to: theirs })
    expect(await conversionsOf(alone)).toEqual([own, conversion])
    await me.replace({ to: theirs })
    expect(await conversionsOf(beside)).toEqual([null, conversion])
  })

  it('changes nothing in a dry run', async () => {
    const me = await ready()
    const id = await me.one([me.from])
    const dry = await me.replace({ dry_run: true })
    expect(dry).toMatchObject({ dry_run: true, deed: null, results: [{ id, status: 'ok', version: 1 }] })
    expect(await me.read(id)).toMatchObject({ version: 1, channels: [{ accounts: [me.from] }] })
  })

  it('says for each report why it cannot be replaced', async () => {
    const me = await ready()
    const dollars = await accountOf(api, { advertiser: me.advertiser, currency: 'USD' })
    const beside = await accountOf(api, { advertiser: me.advertiser })
    const mixed = await me.one([me.from, beside])
    const alone = await me.one([me.from])
    const done = await me.replace({ to: dollars })
    expect(outcomes(done)).toEqual(
      new Map([
        [mixed, 'mixed_currency'],
        [alone, 'ok'],
      ]),
    )
    expect(done.results[0]?.problems[0]).toMatchObject({
      path: 'channels',
      code: 'mixed_currency',
      detail: { currencies: ['TWD', 'USD'] },
    })
    const google = await accountOf(api, { advertiser: me.advertiser, channel: 'aw' })
    const reach = await me.one([me.from], {
      channels: [block([me.from], { metrics: ['inline_link_clicks'] })],
    })
    const plain = await me.one([me.from])
    const two = await me.one([me.from, me.to])
    expect(
      outcomes(await me.replace({ to: google, reports: [reach, plain, two].map(id => ({ id })) })),
    ).toEqual(
      new Map([
        [reach, 'combination_not_allowed'],
        [plain, 'ok'],
        [two, 'account_other_channel'],
      ]),
    )
    expect((await me.read(plain)).channels[0]).toMatchObject({ channel: 'aw', accounts: [google] })
    const unused = await me.one([beside])
    expect(outcomes(await me.replace({ reports: [{ id: unused }] }))).toEqual(
      new Map([[unused, 'account_not_used']]),
    )
  })

  it('follows the access to each report, and the accounts of its owner', async () => {
    const me = await ready()
    const colleague = await api.signedIn('staff')
    await api.db
      .insertInto('advertiser_member')
      .values({ advertiser: me.advertiser, user_id: colleague.user.id })
      .execute()
    const shared = async (access: 'viewer' | 'editor') => {
      const { id } = await colleague.report({ channels: [block([me.from])] })
      await colleague.post(`${REPORTS}${id}/share/`, { user: me.user.id, access })
      return id
    }
    const [viewed, edited] = [await shared('viewer'), await shared('editor')]
    expect(outcomes(await me.replace({ dry_run: true }))).toEqual(
      new Map([
        [viewed, 'forbidden'],
        [edited, 'ok'],
      ]),
    )
    const own_only = await api.advertiser(`Own of ${me.user.username}`, [me.user.id])
    const mine = await accountOf(api, { advertiser: own_only })
    const done = await me.replace({ to: mine, reports: [{ id: edited }] })
    expect(done.results[0]).toMatchObject({
      code: 'invalid',
      problems: [{ path: 'channels.0.accounts', code: 'field_not_available' }],
    })
  })

  it('updates filters that match the old account by its name or number', async () => {
    const me = await ready()
    const filters = [
      { field: 'account_name', rule: 'EQUAL', values: ['Old', 'Another'] },
      { field: 'account_id', rule: 'EQUAL', values: [`old-${me.user.id}`] },
      { field: 'campaign_name', rule: 'CONTAINS', values: ['Old'] },
    ]
    const id = await me.one([], { channels: [block([me.from], { filters })] })
    await me.replace()
    expect((await me.read(id)).channels[0]?.filters.map(({ values }) => values)).toEqual([
      ['New', 'Another'],
      [`new-${me.user.id}`],
      ['Old'],
    ])
  })

  it('skips a report that was saved after it was read', async () => {
    const me = await ready()
    const id = await me.one([me.from])
    await me.patch(`${REPORTS}${id}/`, { version: 1, name: 'Saved meanwhile' })
    expect(outcomes(await me.replace({ reports: [{ id, version: 1 }] }))).toEqual(new Map([[id, 'conflict']]))
    expect((await me.read(id)).channels[0]?.accounts).toEqual([me.from])
  })

  it('and saving a report at the same time are serialised', async () => {
    const me = await ready()
    const ids = await Promise.all(Array.from({ length: 6 }, () => me.one([me.from])))
    const reports = ids.map(id => ({ id, version: 1 }))
    const [done, ...saved] = await Promise.all([
      me.replace({ reports }),
      ...ids.map(id => me.patch(`${REPORTS}${id}/`, { version: 1, name: 'Saved' })),
    ])
    for (const [index, id] of ids.entries()) {
      const { name, channels, version } = await me.read(id)
      const is_replaced = outcomes(done).get(id) === 'ok'
      const is_saved = saved[index]?.status === 200
      expect([is_replaced, is_saved]).toEqual([!is_saved, !is_replaced])
      expect({ name, version, accounts: channels[0]?.accounts }).toEqual({
        name: is_saved ? 'Saved' : 'A report',
        version: 2,
        accounts: [is_replaced ? me.to : me.from],
      })
    }
  })

  it('works where access to the old account is lost, without revealing its name', async () => {
    const me = await ready()
    const id = await me.one([me.from])
    await api.db.updateTable('ad_account').set({ advertiser: null }).where('id', '=', me.from).execute()
    expect((await me.get(`${BULK_OPERATIONS}accounts/`)).body).toContainEqual({
      id: me.from,
      channel: 'fb',
      name: null,
      currency: null,
      advertiser_name: null,
      reports: 1,
    })
    expect(outcomes(await me.replace())).toEqual(new Map([[id, 'ok']]))
  })

  it('does not find accounts and reports of other clients', async () => {
    const me = await ready('external_user')
    const outsider = await ready('external_user')
    const theirs = await outsider.one([outsider.from])
    const refusal = async (body: object, fields: Parameters<typeof expectRefusal>[3]) =>
      expectRefusal(await me.post(PATH, { from: me.from, to: me.to, ...body }), 400, 'invalid', fields)
    await refusal({ to: outsider.to }, { to: ['field_not_available'] })
    await refusal({ to: 999_999_999 }, { to: ['field_not_available'] })
    await refusal({ from: outsider.from }, { from: ['field_not_available'] })
    await refusal({ from: 999_999_999 }, { from: ['field_not_available'] })
    const [foreign, missing] = (await me.replace({ reports: [{ id: theirs }, { id: 999_999_999 }] })).results
    expect(foreign).toEqual({ ...missing, id: theirs })
    expect(missing).toMatchObject({ code: 'not_found', name: '', owner_name: '', version: null })
    expectRefusal(await me.post(PATH, { from: me.from, to: me.to, scope: 'all' }), 403, 'forbidden')
  })

  it('reaches everybody’s reports for a superuser on request', async () => {
    const me = await ready()
    const id = await me.one([me.from])
    const superuser = await api.signedIn('superuser')
    const body = { from: me.from, to: me.to }
    expect(replaceIn(await superuser.post(PATH, body)).results).toEqual([])
    expect(outcomes(replaceIn(await superuser.post(PATH, { ...body, scope: 'all' })))).toEqual(
      new Map([[id, 'ok']]),
    )
  })
})

describe('undoing it', () => {
  it('restores what was changed, except for reports that were saved since', async () => {
    const me = await ready()
    const [unchanged, saved] = [await me.one([me.from]), await me.one([me.from])]
    const { deed } = await me.replace()
    await me.patch(`${REPORTS}${saved}/`, { version: 2, name: 'Since' })
    const undo = async (who: Client) => await who.post(`${BULK_OPERATIONS}${deed}/undo/`)
    expectRefusal(await undo(await api.signedIn('superuser')), 404, 'not_found')
    expect(outcomes(undoIn(await undo(me)))).toEqual(
      new Map([
        [unchanged, 'ok'],
        [saved, 'conflict'],
      ]),
    )
    expect((await me.read(unchanged)).channels[0]?.accounts).toEqual([me.from])
    expect(await me.read(saved)).toMatchObject({ name: 'Since', channels: [{ accounts: [me.to] }] })
    expect(outcomes(undoIn(await undo(me)))).toEqual(new Map([[saved, 'conflict']]))
  })

  it('is refused for a report whose old account is lost', async () => {
    const me = await ready()
    const id = await me.one([me.from])
    const { deed } = await me.replace()
    await api.db.updateTable('ad_account').set({ advertiser: null }).where('id', '=', me.from).execute()
    expect(outcomes(undoIn(await me.post(`${BULK_OPERATIONS}${deed}/undo/`)))).toEqual(
      new Map([[id, 'invalid']]),
    )
    expect((await me.read(id)).channels[0]?.accounts).toEqual([me.to])
  })
})

describe('a dry run', () => {
  it('returns exactly what the operation does, whatever the reports are', async () => {
    const random = randomBelow(5)
    const me = await ready()
    const colleague = await api.signedIn('staff')
    await api.db
      .insertInto('advertiser_member')
      .values({ advertiser: me.advertiser, user_id: colleague.user.id })
      .execute()
    const elsewhere = await api.advertiser(`Elsewhere of ${me.user.username}`, [me.user.id])
    const pool: { id: number; channel: string }[] = []
    for (const channel of ['fb', 'fb', 'fb', 'tt', 'aw', 'ga4'] as const)
      for (const currency of ['TWD', 'USD'])
        for (const advertiser of [me.advertiser, elsewhere])
          pool.push({ id: await accountOf(api, { advertiser, channel, currency }), channel })
    const statuses = new Set<string>()
    for (let round = 0; round < 12; round += 1) {
      const ids: number[] = []
      for (let count = 0; count < 6; count += 1) {
        const owner = random(3) === 0 ? colleague : me
        const response = await owner.post(REPORTS, randomReport(random, pool))
        if (response.status !== 201) continue
        const { id } = reportIn(response)
        ids.push(id)
        if (owner === colleague)
          await colleague.post(`${REPORTS}${id}/share/`, {
            user: me.user.id,
            access: random(2) === 0 ? 'viewer' : 'editor',
          })
      }
      const from = pick(random, pool).id
      const to = pick(
        random,
        pool.filter(({ id }) => id !== from),
      ).id
      const body = {
        from,
        to,
        ...(random(2) === 0 && { reports: ids.map(id => ({ id, version: 1 + random(2) })) }),
      }
      if (body.reports?.length === 0) continue
      const dry = await me.replace({ ...body, dry_run: true })
      const done = await me.replace(body)
      expect(done.results).toEqual(dry.results)
      for (const result of done.results) statuses.add(result.code ?? result.status)
      for (const { id } of done.results.filter(({ status }) => status === 'ok')) {
        const { channels } = await me.read(id)
        const uses = (account: number) => channels.some(({ accounts }) => accounts.includes(account))
        expect([uses(from), uses(to)]).toEqual([false, true])
      }
    }
    expect([...statuses]).toEqual(expect.arrayContaining(['ok', 'forbidden', 'conflict']))
    expect(statuses.size).toBeGreaterThan(4)
  })
})

type Random = (below: number) => number

function pick<Item>(random: Random, items: readonly Item[]): Item {
  const item = items[random(items.length)]
  if (item === undefined) throw new Error('nothing to pick from')
  return item
}

function randomReport(random: Random, pool: readonly { id: number; channel: string }[]) {
  const blocks = Array.from({ length: 1 + random(2) }, () => {
    const { channel } = pick(random, pool)
    const of_channel = pool.filter(account => account.channel === channel)
    const accounts = new Set(Array.from({ length: 1 + random(2) }, () => pick(random, of_channel).id))
    const metrics =
      channel === 'ga4' ? ['sessions', 'revenue'] : ['impressions', 'cost', 'reach'].slice(0, 1 + random(3))
    return { channel, accounts: [...accounts], metrics }
  })
  return {
    dimensions: pick(random, [['date'], ['date', 'account_name'], ['week', 'campaign']]),
    channels: blocks,
  }
}
