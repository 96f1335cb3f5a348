import { describe, expect, it } from 'vitest'
import { Folder } from '#shared/api/folders.ts'
import { z } from 'zod'
import { expectRefusal, testApi } from '#server/http/testing/api.ts'
import { reportIn, REPORTS } from '#server/resources/reports/testing/requests.ts'
import { accountOf, block, BULK_OPERATIONS, cloneIn, definitionOf, undoIn } from './testing/requests.ts'

const api = await testApi()
const PATH = `${BULK_OPERATIONS}clone/`

/** A person who serves two clients, the first with reports in folders. */
async function ready() {
  const me = await api.signedIn('staff')
  const tag = me.user.id
  const aurora = await api.advertiser(`Aurora ${tag}`, [me.user.id])
  const borealis = await api.advertiser(`Borealis ${tag}`, [me.user.id])
  const from = {
    meta: await accountOf(api, { advertiser: aurora, name: `Aurora ${tag} Taiwan`, external_id: `a-${tag}` }),
    outlet: await accountOf(api, { advertiser: aurora, name: `Aurora ${tag} Outlet` }),
    google: await accountOf(api, { advertiser: aurora, channel: 'aw', name: `Aurora ${tag} search` }),
  }
  const to = {
    outlet: await accountOf(api, { advertiser: borealis, name: `Borealis ${tag} Outlet` }),
    meta: await accountOf(api, {
      advertiser: borealis,
      name: `Borealis ${tag} Taiwan`,
      external_id: `b-${tag}`,
    }),
    google: await accountOf(api, {
      advertiser: borealis,
      channel: 'aw',
      name: `Borealis ${tag}`,
      currency: 'USD',
    }),
  }
  const outer = await me.folder({ name: `Aurora ${tag} reports` })
  const inner = await me.folder({ name: 'Monthly', parent: outer.id })
  const one = async (more: object) => (await me.report({ update_frequency: 2, ...more })).id
  const clone = async (body: object = {}) =>
    cloneIn(await me.post(PATH, { source: { advertiser: aurora }, advertiser: borealis, ...body }))
  const read = async (id: number | null | undefined) => reportIn(await me.get(`${REPORTS}${id}/`))
  const folders = async () =>
    z
      .array(Folder)
      .parse((await me.get('/api/gs-template-folder/?ordering=id')).body)
      .map(({ name }) => name)
  return { ...me, tag, aurora, borealis, from, to, outer, inner, one, clone, read, folders }
}

const metaPairs = ({ from, to }: Awaited<ReturnType<typeof ready>>) => [
  { from: from.meta, to: to.meta },
  { from: from.outlet, to: to.outlet },
]

describe('cloning the reports of a client', () => {
  it('suggests for each account the one with a similar name, of the same channel', async () => {
    const me = await ready()
    await me.one({
      channels: [block([me.from.meta, me.from.outlet]), block([me.from.google], { channel: 'aw' })],
    })
    const { accounts } = await me.clone({ dry_run: true })
    expect(accounts.map(({ id, suggested, reports }) => [id, suggested, reports])).toEqual([
      [me.from.meta, me.to.meta, 1],
      [me.from.outlet, me.to.outlet, 1],
      [me.from.google, me.to.google, 1],
    ])
  })

  it('creates copies with the other client’s accounts and name, in folders of the same structure', async () => {
    const me = await ready()
    const filters = [
      { field: 'campaign_name', rule: 'CONTAINS', values: [`aurora ${me.tag} brand`] },
      { field: 'account_id', rule: 'EQUAL', values: [`a-${me.tag}`] },
    ]
    const top = await me.one({
      name: `Aurora ${me.tag} daily`,
      channels: [block([me.from.meta, me.from.outlet], { label: `AURORA ${me.tag}`, filters })],
      spreadsheet_url: 'https://docs.google.com/spreadsheets/d/1AbCdEfGhIjKlMnOpQrStUvWxYz0123456789/edit',
      sheet_name: 'Data',
      start_cell: 'C4',
    })
    const deep = await me.one({ name: 'Weekly', folder: me.inner.id, channels: [block([me.from.meta])] })
    const body = {
      accounts: metaPairs(me),
      rename: { find: ['Aurora', `Aurora ${me.tag}`], replace: `Borealis ${me.tag}` },
    }
    const dry = await me.clone({ ...body, dry_run: true })
    const before = await me.folders()
    const done = await me.clone(body)
    expect(done.results.map(result => ({ ...result, made: null }))).toEqual(dry.results)
    expect(done.accounts).toEqual(dry.accounts)
    expect(before.length).toBe((await me.folders()).length - 2)

    const [first, second] = done.results
    expect(first).toMatchObject({ id: top, copy: { folder: [], accounts_left_out: 0 } })
    expect(await me.read(first?.made)).toMatchObject({
      name: `Borealis ${me.tag} daily`,
      owner: me.user.id,
      copied_by: me.user.id,
      folder: null,
      spreadsheet_url: '',
      sheet_name: '',
      start_cell: 'C4',
      chosen_frequency: 0,
      gaps: ['page_not_set', 'permission_not_set'],
      channels: [
        {
          accounts: [me.to.meta, me.to.outlet],
          label: `Borealis ${me.tag}`,
          filters: [{ values: [`Borealis ${me.tag} brand`] }, { values: [`b-${me.tag}`] }],
        },
      ],
    })
    expect(second).toMatchObject({
      id: deep,
      copy: { name: 'Weekly (copy)', folder: [`Borealis ${me.tag} reports`, 'Monthly'] },
    })
    expect(await me.read(deep)).toMatchObject({ version: 1, folder: me.inner.id })
  })

  it('leaves out accounts without a counterpart, and reports that', async () => {
    const me = await ready()
    await me.one({ channels: [block([me.from.meta, me.from.outlet])] })
    const { results } = await me.clone({ accounts: [{ from: me.from.meta, to: me.to.meta }] })
    expect(results[0]).toMatchObject({ status: 'ok', copy: { accounts_left_out: 1 } })
    expect((await me.read(results[0]?.made)).channels[0]?.accounts).toEqual([me.to.meta])
  })

  it('counts conversions by the new client’s default, or by the platform’s', async () => {
    const me = await ready()
    const conversion = await definitionOf(api, me.aurora)
    const id = await me.one({
      channels: [block([me.from.meta], { conversion }), block([me.from.outlet], { conversion: null })],
    })
    const clonedBy = async () => {
      const { results } = await me.clone({ source: { reports: [id] }, accounts: metaPairs(me) })
      const { channels } = await me.read(results[0]?.made)
      return channels.map(each => each.conversion)
    }
    expect(await clonedBy()).toEqual([null, null])
    const own = await definitionOf(api, me.borealis)
    expect(await clonedBy()).toEqual([own, null])
  })

  it('creates those that are allowed, or none, as requested', async () => {
    const me = await ready()
    const fine = await me.one({ channels: [block([me.from.meta])] })
    const mixed = await me.one({
      channels: [block([me.from.meta]), block([me.from.google], { channel: 'aw' })],
    })
    const accounts = [...metaPairs(me), { from: me.from.google, to: me.to.google }]
    const none = await me.clone({ accounts, all_or_nothing: true })
    expect(none).toMatchObject({ deed: null, results: [{ made: null }, { code: 'mixed_currency' }] })
    const some = await me.clone({ accounts })
    expect(some.results.map(({ id, status, code }) => [id, status, code])).toEqual([
      [fine, 'ok', null],
      [mixed, 'refused', 'mixed_currency'],
    ])
    expect(some.results[0]?.made).not.toBeNull()
  })

  it('clones a folder into a new one, with its content at the same depth', async () => {
    const me = await ready()
    const top = await me.one({ folder: me.outer.id, channels: [block([me.from.meta])] })
    const deep = await me.one({ folder: me.inner.id, channels: [block([me.from.meta])] })
    const done = await me.clone({
      source: { folder: me.outer.id },
      accounts: metaPairs(me),
      new_folder: 'For Borealis',
    })
    expect(done.results.map(({ id, copy }) => [id, copy?.folder])).toEqual([
      [top, ['For Borealis']],
      [deep, ['For Borealis', 'Monthly']],
    ])
    // What is too deep for two layers is joined into one name.
    const all = await me.clone({ source: { reports: [deep] }, accounts: metaPairs(me), new_folder: 'Second' })
    expect(all.results[0]?.copy?.folder).toEqual(['Second', `Aurora ${me.tag} reports · Monthly`])
    // Beside the originals a folder of the same name gets another one.
    const beside = await me.clone({ source: { reports: [deep] }, accounts: metaPairs(me) })
    expect(beside.results[0]?.copy?.folder).toEqual([`Aurora ${me.tag} reports (2)`, 'Monthly'])
  })

  it('is undone with its folders, except for copies that were changed', async () => {
    const me = await ready()
    await me.one({ folder: me.inner.id, channels: [block([me.from.meta])] })
    await me.one({ channels: [block([me.from.meta])] })
    const before = await me.folders()
    const { deed, results } = await me.clone({ accounts: metaPairs(me), new_folder: 'New' })
    const [first, second] = results.map(({ made }) => made)
    await me.patch(`${REPORTS}${second}/`, { version: 1, name: 'Mine now' })
    const undo = undoIn(await me.post(`${BULK_OPERATIONS}${deed}/undo/`))
    expect(undo.results.map(({ id, code }) => [id, code])).toEqual([
      [first, null],
      [second, 'conflict'],
    ])
    expect((await me.get(`${REPORTS}${first}/`)).status).toBe(404)
    expect((await me.read(second)).name).toBe('Mine now')
    // The outer folder still holds the copy that stays.
    expect(await me.folders()).toEqual([...before, 'New'])
  })

  it('accepts only clients and accounts that the person may use', async () => {
    const me = await ready()
    const outsider = await ready()
    await me.one({ channels: [block([me.from.meta])] })
    const foreign = await outsider.one({ channels: [block([outsider.from.meta])] })
    const refusal = async (
      body: object,
      field: string,
      code: 'field_not_available' | 'account_other_channel',
    ) =>
      expectRefusal(
        await me.post(PATH, { source: { advertiser: me.aurora }, advertiser: me.borealis, ...body }),
        400,
        'invalid',
        { [field]: [code] },
      )
    for (const id of [outsider.borealis, 999_999_999]) {
      await refusal({ advertiser: id }, 'advertiser', 'field_not_available')
      await refusal({ source: { advertiser: id } }, 'source.advertiser', 'field_not_available')
    }
    for (const id of [outsider.outer.id, 999_999_999]) {
      await refusal({ source: { folder: id } }, 'source.folder', 'field_not_available')
      await refusal({ folder: id }, 'folder', 'field_not_available')
    }
    const pair = (from: number, to: number) => ({ accounts: [{ from, to }] })
    await refusal(pair(me.from.meta, outsider.to.meta), 'accounts.0.to', 'field_not_available')
    await refusal(pair(me.from.meta, me.from.outlet), 'accounts.0.to', 'field_not_available')
    await refusal(pair(outsider.from.meta, me.to.meta), 'accounts.0.from', 'field_not_available')
    await refusal(pair(me.from.meta, me.to.google), 'accounts.0.to', 'account_other_channel')
    const { results, accounts } = await me.clone({ source: { reports: [foreign] } })
    expect(results).toMatchObject([{ code: 'not_found', name: '', copy: null }])
    expect(accounts).toEqual([])
  })
})
