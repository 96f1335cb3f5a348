import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { expectRefusal, testApi, type Client } from '#server/http/testing/api.ts'
import { ready as readyFor, reportIn, REPORTS } from './testing/requests.ts'

const api = await testApi()

const join = (advertiser: number, who: Client) =>
  api.db.insertInto('advertiser_member').values({ advertiser, user_id: who.user.id }).execute()

/** A report in a file of its owner's, shared with an editor of another client. */
async function shared(access: 'viewer' | 'editor' = 'editor') {
  const owner = await readyFor(api, 'external_user')
  const other = await readyFor(api, 'external_user')
  const { id, version } = await owner.report(owner.body)
  await api.db
    .insertInto('report_share')
    .values({ report: id, user_id: other.user.id, access, shared_by: owner.user.id })
    .execute()
  return { owner, other, id, version }
}
const NOT_SHARED = { spreadsheet_url: ['spreadsheet_not_shared'] } as const

describe('an editor of another person’s report', () => {
  it('changes everything but the target without any control of the file', async () => {
    const { owner, other, id, version } = await shared()
    const saved = reportIn(
      await other.patch(`${REPORTS}${id}/`, { version, name: 'New', ...pick(owner.body), timezone: 'UTC' }),
    )
    expect(saved).toMatchObject({ name: 'New', timezone: 'UTC', target_state: 'ok' })
  })

  it('may remove the spreadsheet', async () => {
    const { other, id, version } = await shared()
    const saved = reportIn(
      await other.patch(`${REPORTS}${id}/`, { version, spreadsheet_url: '', sheet_name: '' }),
    )
    expect(saved).toMatchObject({ spreadsheet_url: '', target_state: null })
  })

  it('cannot move the table to another tab or cell of a file that is not theirs, nor put it back', async () => {
    const { owner, other, id, version } = await shared()
    for (const change of [{ sheet_name: 'Other' }, { start_cell: 'Z9' }])
      expectRefusal(
        await other.patch(`${REPORTS}${id}/`, { version, ...change }),
        400,
        'spreadsheet_not_shared',
        NOT_SHARED,
      )
    const out = reportIn(await other.patch(`${REPORTS}${id}/`, { version, spreadsheet_url: '' }))
    const back = { version: out.version, spreadsheet_url: owner.body.spreadsheet_url }
    expectRefusal(await other.patch(`${REPORTS}${id}/`, back), 400, 'spreadsheet_not_shared', NOT_SHARED)
  })

  it('gets a message when the owner lacks control of a file that is theirs', async () => {
    const { other, id, version } = await shared()
    const response = await other.patch(`${REPORTS}${id}/`, { version, ...pick(other.body) })
    expectRefusal(response, 400, 'owner_lacks_spreadsheet', { spreadsheet_url: ['owner_lacks_spreadsheet'] })
  })

  it('has to prove the file again when the right is gone', async () => {
    const { owner, other, id, version } = await shared()
    await join(owner.advertiser, other)
    await api.db
      .updateTable('spreadsheet_binding')
      .set({ lapsed_at: new Date() })
      .where('advertiser', '=', owner.advertiser)
      .execute()
    const response = await other.patch(`${REPORTS}${id}/`, { version, sheet_name: 'Other' })
    expectRefusal(response, 400, 'proof_required', { spreadsheet_url: ['proof_required'] })
  })

  it('changes the tab when the file is proven to be both theirs', async () => {
    const { owner, other, id, version } = await shared()
    await join(owner.advertiser, other)
    expect(reportIn(await other.patch(`${REPORTS}${id}/`, { version, sheet_name: 'Other' })).sheet_name).toBe(
      'Other',
    )
  })

  it('has the same limits as a superuser, too', async () => {
    const { owner, other, id, version } = await shared()
    const superuser = await api.signedIn('superuser')
    const unknown = {
      spreadsheet_url: 'https://docs.google.com/spreadsheets/d/1AbCdEfGhIjKlMnOpQrStUvWxYz-nobody/edit',
    }
    expectRefusal(
      await superuser.patch(`${REPORTS}${id}/`, { version, ...unknown }),
      400,
      'spreadsheet_not_shared',
      NOT_SHARED,
    )
    expectRefusal(
      await superuser.patch(`${REPORTS}${id}/`, { version, ...pick(other.body) }),
      400,
      'owner_lacks_spreadsheet',
      { spreadsheet_url: ['owner_lacks_spreadsheet'] },
    )
    expect(
      reportIn(await superuser.patch(`${REPORTS}${id}/`, { version, ...pick(owner.body), sheet_name: 'B' }))
        .version,
    ).toBe(2)
  })
})

describe('a copy', () => {
  it('of a viewer’s names the file and may not write there', async () => {
    const { other, id } = await shared('viewer')
    const copy = reportIn(await other.post(`${REPORTS}${id}/copy/`))
    expect(copy).toMatchObject({ owner: other.user.id, sheet_name: '', target_state: null })
    expect(copy.gaps).toContain('permission_not_set')
  })

  it('that is sent to another person lacks a file that is not theirs both', async () => {
    const { owner, other, id } = await shared('viewer')
    const recipient = await api.signedIn('staff')
    const send = async (sender: Client) =>
      reportIn(await sender.post(`${REPORTS}${id}/copy/`, { to_user: recipient.user.id }))
    await visible(recipient)
    // The sender alone, the recipient alone, and both.
    expect(await send(owner)).toMatchObject({ spreadsheet_url: '', target_state: null })
    await join(owner.advertiser, recipient)
    expect(await send(other)).toMatchObject({ spreadsheet_url: '', target_state: null })
    expect(await send(owner)).toMatchObject({
      spreadsheet_url: owner.body.spreadsheet_url,
      target_state: 'ok',
    })

    /** Clients send to people with whom they share an advertiser. */
    async function visible(who: Client) {
      const both = await api.advertiser(`Both ${who.user.username}`)
      for (const each of [owner, other, who]) await join(both, each)
    }
  })
})

it('an import creates reports of the importer’s own alone: another’s file is named there, and nothing runs', async () => {
  const { other, id } = await shared()
  const { body } = await other.get(`${REPORTS}${id}/export/`)
  const headers = { 'content-type': 'application/yaml' }
  const response = await other.call('POST', `${REPORTS}import/?leave_out=true`, String(body), { headers })
  expect(response.status, JSON.stringify(response.body)).toBe(201)
  const made = await api.db
    .selectFrom('report')
    .select(['owner', 'target_state', 'next_run_at'])
    .where('owner', '=', other.user.id)
    .execute()
  expect(made).toEqual([{ owner: other.user.id, target_state: null, next_run_at: null }])
})

it('a run names the report whose table is in its way to people who see that report alone', async () => {
  const [owner, other] = [await api.signedIn('staff'), await readyFor(api, 'external_user')]
  const [mine, theirs] = [await owner.report(), await other.report(other.body)]
  const run = randomUUID()
  const detail = { report_id: theirs.id, name: 'Acme daily', range: 'C4:H90' }
  await api.db
    .insertInto('run')
    .values({
      id: run,
      report: mine.id,
      owner: owner.user.id,
      trigger: 'click',
      status: 'error',
      code: 'target_overlap',
      detail: JSON.stringify(detail),
      finished_at: new Date(),
    })
    .execute()
  const responsesFor = async (who: Client) => {
    const [one, list, csv] = await Promise.all([
      who.get(`${REPORTS}${mine.id}/runs/${run}/`),
      who.get(`${REPORTS}${mine.id}/runs/`),
      who.get(`${REPORTS}${mine.id}/runs/`, { headers: { accept: 'text/csv' } }),
    ])
    expect(one.body).toMatchObject({ code: 'target_overlap' })
    return [one, list, csv].map(({ body }) => JSON.stringify(body))
  }
  for (const response of await responsesFor(owner))
    for (const secret of ['Acme daily', 'C4:H90', 'report_id']) expect(response).not.toContain(secret)
  const [first] = await responsesFor(await api.signedIn('superuser'))
  expect(first).toContain('Acme daily')
  await api.db
    .insertInto('report_share')
    .values({ report: theirs.id, user_id: owner.user.id, access: 'viewer', shared_by: other.user.id })
    .execute()
  expect((await responsesFor(owner))[0]).toContain('C4:H90')
})

const pick = ({
  spreadsheet_url,
  sheet_name,
  start_cell,
}: {
  spreadsheet_url: string
  sheet_name: string
  start_cell: string
}) => ({
  spreadsheet_url,
  sheet_name,
  start_cell,
})
