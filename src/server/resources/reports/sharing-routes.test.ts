import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { expectRefusal, testApi, type ApiResponse } from '#server/http/testing/api.ts'
import { idsIn, ready as readyFor, reportIn, REPORTS } from './testing/requests.ts'
import { deleteUndoableShares } from './share-queries.ts'

const api = await testApi()
const PATH = REPORTS
const ready = (identity?: 'staff' | 'external_user') => readyFor(api, identity)

describe('sharing', () => {
  const shared = async (access: 'viewer' | 'editor') => {
    const owner = await ready('external_user')
    const other = await api.signedIn('external_user')
    await api.db
      .insertInto('advertiser_member')
      .values({ advertiser: owner.advertiser, user_id: other.user.id })
      .execute()
    const { id, version } = await owner.report(owner.body)
    const response = await owner.post(`${PATH}${id}/share/`, { user: other.user.id, access })
    expect(response.status).toBe(201)
    return { owner, other, id, version }
  }

  it('shows the report at the recipient’s root, where they may file it without moving it for the owner', async () => {
    const { owner, other, id, version } = await shared('viewer')
    expect(reportIn(await other.get(`${PATH}${id}/`))).toMatchObject({
      access: 'viewer',
      folder: null,
      shared_by: owner.user.username,
    })
    expect(idsIn(await other.get(`${PATH}?scope=shared&folder=0`))).toEqual([id])
    const { id: folderId } = await other.folder()
    expect(reportIn(await other.patch(`${PATH}${id}/`, { version, folder: folderId }))).toMatchObject({
      folder: folderId,
      version,
    })
    expect(idsIn(await other.get(`${PATH}?folder=${folderId}`))).toEqual([id])
    expect(reportIn(await owner.get(`${PATH}${id}/`))).toMatchObject({ folder: null, version })
  })

  it('lets a viewer see and copy, an editor also change, and neither delete or share', async () => {
    const viewer = await shared('viewer')
    const change = { version: viewer.version, name: 'theirs' }
    expectRefusal(await viewer.other.patch(`${PATH}${viewer.id}/`, change), 403, 'forbidden')
    const editor = await shared('editor')
    expect(reportIn(await editor.other.patch(`${PATH}${editor.id}/`, change)).name).toBe('theirs')
    for (const { other, id } of [viewer, editor]) {
      expectRefusal(await other.delete(`${PATH}${id}/`), 403, 'forbidden')
      expectRefusal(await other.get(`${PATH}${id}/share/`), 403, 'forbidden')
      expect((await other.post(`${PATH}${id}/copy/`)).status).toBe(201)
    }
  })

  it('lets an editor add only accounts that they may use themselves', async () => {
    const { owner, other, id, version } = await shared('editor')
    const second = await api.advertiser(`Second of ${owner.user.username}`, [owner.user.id])
    const account = await api.account({ advertiser: second })
    const channels = [{ ...owner.body.channels[0], accounts: [owner.account, account] }]
    expectRefusal(await other.patch(`${PATH}${id}/`, { version, channels }), 400, 'invalid', {
      'channels.0.accounts': ['field_not_available'],
    })
    expect((await owner.patch(`${PATH}${id}/`, { version, channels })).status).toBe(200)
    const patchBody = { version: version + 1, channels: [{ ...channels[0], metrics: ['cost'] }] }
    const colleague = await api.signedIn('staff')
    await api.db
      .insertInto('report_share')
      .values({ report: id, user_id: colleague.user.id, access: 'editor', shared_by: owner.user.id })
      .execute()
    expect((await colleague.patch(`${PATH}${id}/`, patchBody)).status).toBe(200)
  })

  it('ends when its client leaves the advertiser, or an account moves to another one, in whatever way', async () => {
    const boss = await api.signedIn('superuser')
    const sharing = async () => {
      const fixture = await shared('viewer')
      return { ...fixture, elsewhere: await api.advertiser(`Beside ${fixture.owner.user.username}`) }
    }
    const ways = {
      'removed from the advertiser': ({ owner }: Awaited<ReturnType<typeof sharing>>) =>
        boss.patch(`/api/advertiser/${owner.advertiser}/`, { version: 1, members: [owner.user.id] }),
      'moved to another one as a person': ({ other, elsewhere }: Awaited<ReturnType<typeof sharing>>) =>
        boss.patch(`/api/user/${other.user.id}/`, { advertisers: [elsewhere] }),
      'the account is related to another one': ({ owner, elsewhere }: Awaited<ReturnType<typeof sharing>>) =>
        boss.post('/api/advertiser/relate/ad-account/', {
          advertiser: elsewhere,
          ad_accounts: [owner.account],
        }),
    }
    for (const [way, go] of Object.entries(ways)) {
      const fixture = await sharing()
      const untouched = await shared('viewer')
      expect((await go(fixture)).status, way).toBeLessThan(300)
      expectRefusal(await fixture.other.get(`${PATH}${fixture.id}/`), 404, 'not_found')
      expect((await untouched.other.get(`${PATH}${untouched.id}/`)).status, way).toBe(200)
      expect((await fixture.owner.get(`${PATH}${fixture.id}/`)).status, way).toBe(200)
    }
  })

  it('with a client ends when an account is added that is not theirs, and with nobody else', async () => {
    const { owner, other, id, version } = await shared('viewer')
    const colleague = await api.signedIn('staff')
    await api.db
      .insertInto('report_share')
      .values({ report: id, user_id: colleague.user.id, access: 'viewer', shared_by: owner.user.id })
      .execute()
    const [block] = owner.body.channels
    const own = await api.account({ advertiser: owner.advertiser })
    const foreign = await api.account({
      advertiser: await api.advertiser(`Third of ${owner.user.username}`, [owner.user.id]),
    })
    const change = async (of_version: number, accounts: number[]) =>
      reportIn(
        await owner.patch(`${PATH}${id}/`, { version: of_version, channels: [{ ...block, accounts }] }),
      )
    await change(version, [owner.account, own])
    expect((await other.get(`${PATH}${id}/`)).status).toBe(200)
    await change(version + 1, [owner.account, foreign])
    expectRefusal(await other.get(`${PATH}${id}/`), 404, 'not_found')
    expect((await colleague.get(`${PATH}${id}/`)).status).toBe(200)
    const line = await api.db
      .selectFrom('audit')
      .select(['actor', 'detail'])
      .where('object_id', '=', String(id))
      .where('action', '=', 'report.unshare')
      .executeTakeFirstOrThrow()
    expect(line).toMatchObject({
      actor: owner.user.id,
      detail: { user: other.user.id, because: 'accounts', changes: { access: { from: 'viewer', to: null } } },
    })
  })

  it('is notified once a day, however often it ends and begins', async () => {
    const { owner, other, id } = await shared('viewer')
    const sharingNotices = async () =>
      z.object({ count: z.number() }).parse((await other.get('/api/notifications/')).body)
    for (let times = 0; times < 3; times++) {
      await owner.delete(`${PATH}${id}/share/${other.user.id}/`)
      await owner.post(`${PATH}${id}/share/`, { user: other.user.id, access: 'editor' })
    }
    expect((await sharingNotices()).count).toBe(1)
  })

  it('ends at once', async () => {
    const { owner, other, id } = await shared('editor')
    expect((await owner.delete(`${PATH}${id}/share/${other.user.id}/`)).status).toBe(204)
    expectRefusal(await other.get(`${PATH}${id}/`), 404, 'not_found')
    expectRefusal(await owner.delete(`${PATH}${id}/share/${other.user.id}/`), 404, 'not_found')
  })

  it('is restored as it was, with the recipient’s folder, and notifies nobody again', async () => {
    const { owner, other, id, version } = await shared('editor')
    const { id: folderId } = await other.folder()
    await other.patch(`${PATH}${id}/`, { version, folder: folderId })
    const before = (await owner.get(`${PATH}${id}/share/`)).body
    const notices = async () => Object(await other.get('/api/notifications/')).body.count
    const sharingNotices = await notices()
    const bulk = (who: typeof owner | typeof other, action: string) =>
      who.post(`${PATH}bulk/`, { action, ids: [id], user: other.user.id })
    const refused = (code: string) => ({ body: { results: [{ status: 'refused', code }] } })
    expect(await bulk(owner, 'share_again')).toMatchObject(refused('conflict'))
    await bulk(owner, 'unshare')
    expect(await bulk(other, 'share_again')).toMatchObject(refused('not_found'))
    expect(await bulk(owner, 'share_again')).toMatchObject({ body: { results: [{ status: 'ok' }] } })
    expect((await owner.get(`${PATH}${id}/share/`)).body).toEqual(before)
    expect(reportIn(await other.get(`${PATH}${id}/`))).toMatchObject({ access: 'editor', folder: folderId })
    expect(await notices()).toBe(sharingNotices)
  })

  it('is not restored for a person who would see another advertiser by now, nor after a day', async () => {
    const { owner, other, id } = await shared('viewer')
    const bulk = (action: string) => owner.post(`${PATH}bulk/`, { action, ids: [id], user: other.user.id })
    await bulk('unshare')
    await api.db.deleteFrom('advertiser_member').where('user_id', '=', other.user.id).execute()
    expect(await bulk('share_again')).toMatchObject({ body: { results: [{ code: 'field_not_available' }] } })
    await api.db
      .insertInto('advertiser_member')
      .values({ advertiser: owner.advertiser, user_id: other.user.id })
      .execute()
    await deleteUndoableShares(api.db, new Date(api.clock.now.getTime() + 25 * 3600_000))
    expect(await bulk('share_again')).toMatchObject({ body: { results: [{ code: 'conflict' }] } })
  })

  it('is ended by the recipient, who may take that back, while the report stays the owner’s', async () => {
    const { owner, other, id, version } = await shared('editor')
    const { id: folderId } = await other.folder()
    await other.patch(`${PATH}${id}/`, { version, folder: folderId })
    const bulk = (who: typeof owner | typeof other, action: string) =>
      who.post(`${PATH}bulk/`, { action, ids: [id], user: other.user.id })
    const report = (await owner.get(`${PATH}${id}/`)).body
    expect(await bulk(other, 'unshare')).toMatchObject({ body: { results: [{ status: 'ok' }] } })
    expectRefusal(await other.get(`${PATH}${id}/`), 404, 'not_found')
    expect((await owner.get(`${PATH}${id}/`)).body).toEqual(report)
    expect((await owner.get(`${PATH}${id}/share/`)).body).toEqual([])
    expect(await bulk(other, 'share_again')).toMatchObject({ body: { results: [{ status: 'ok' }] } })
    expect(reportIn(await other.get(`${PATH}${id}/`))).toMatchObject({ access: 'editor', folder: folderId })
    const lines = await api.db
      .selectFrom('audit')
      .select(['action', 'actor'])
      .where('object_id', '=', String(id))
      .where('actor', '=', other.user.id)
      .orderBy('id')
      .execute()
    expect(lines.map(({ action }) => action)).toEqual(['report.file', 'report.unshare', 'report.share_again'])
  })

  it('that the owner has ended after the recipient did is not taken back by the recipient', async () => {
    const { owner, other, id } = await shared('viewer')
    const bulk = (who: typeof owner | typeof other, action: string) =>
      who.post(`${PATH}bulk/`, { action, ids: [id], user: other.user.id })
    await bulk(other, 'unshare')
    await bulk(owner, 'share')
    await bulk(owner, 'unshare')
    expect(await bulk(other, 'share_again')).toMatchObject({ body: { results: [{ code: 'not_found' }] } })
  })

  it('of many returns the previous roles', async () => {
    const { owner, other, id } = await shared('editor')
    const { id: fresh } = await owner.report({ ...owner.body, start_cell: 'Z90' })
    const share = { action: 'share', ids: [id, fresh], user: other.user.id, access: 'viewer' }
    expect(await owner.post(`${PATH}bulk/`, share)).toMatchObject({
      body: {
        results: [
          { id, access_before: 'editor' },
          { id: fresh, access_before: null },
        ],
      },
    })
  })

  it('is refused for a person of another advertiser like for one who does not exist', async () => {
    const owner = await ready('external_user')
    const outsider = await api.signedIn('external_user')
    const { id } = await owner.report()
    for (const user of [outsider.user.id, 999_999])
      expectRefusal(await owner.post(`${PATH}${id}/share/`, { user, access: 'viewer' }), 400, 'invalid', {
        user: ['field_not_available'],
      })
    const staff = await ready('staff')
    const { id: theirs } = await staff.report(staff.body)
    expectRefusal(
      await staff.post(`${PATH}${theirs}/share/`, { user: outsider.user.id, access: 'viewer' }),
      400,
      'invalid',
      {
        user: ['field_not_available'],
      },
    )
  })
})

describe('copying', () => {
  it('creates "Name (copy)" of the copier, with no schedule and no tab', async () => {
    const { report, post, folder, user, body } = await ready()
    const { id: folderId } = await folder()
    const { id } = await report({ ...body, folder: folderId })
    const copied = reportIn(await post(`${PATH}${id}/copy/`))
    expect(copied).toMatchObject({
      name: 'Acme daily (copy)',
      owner: user.id,
      folder: folderId,
      update_frequency: 0,
      sheet_name: '',
      spreadsheet_url: body.spreadsheet_url,
      copied_by: user.id,
      copied_by_username: user.username,
      gaps: ['page_not_set'],
      status: 0,
    })
    expect(copied.id).not.toBe(id)
  })

  it('can be sent to another person, without the accounts that they may not use', async () => {
    const { report, post, user, body } = await ready()
    const colleague = await api.signedIn('staff')
    const { id } = await report(body)
    const sent = reportIn(await post(`${PATH}${id}/copy/`, { to_user: colleague.user.id }))
    expect(sent).toMatchObject({ owner: colleague.user.id, copied_by: user.id, channels: [{ accounts: [] }] })
    expect(idsIn(await colleague.get(PATH))).toEqual([sent.id])
    expectRefusal(await post(`${PATH}${id}/copy/`, { to_user: 999_999 }), 400, 'invalid', {
      to_user: ['field_not_available'],
    })
  })
})

describe('a selection of many', () => {
  it('has an outcome for each', async () => {
    const one = await api.signedIn('staff')
    const outsider = await (await api.signedIn('staff')).report()
    const [a, b] = [await one.report(), await one.report()]
    const { id: folderId } = await one.folder()
    const bulk = async (body: object) => outcomes(await one.post(`${PATH}bulk/`, body))
    const ids = [b.id, outsider.id, a.id]
    const refused = { id: outsider.id, status: 'refused', code: 'not_found', copy: null, access_before: null }
    const fine = (id: number) => ({ id, status: 'ok', code: null, copy: null, access_before: null })
    const each = [fine(a.id), fine(b.id), refused].toSorted((x, y) => x.id - y.id)
    expect(await bulk({ action: 'move', ids, folder: folderId })).toEqual(each)
    expect(idsIn(await one.get(`${PATH}?folder=${folderId}&ordering=id`))).toEqual([a.id, b.id])
    expect(await bulk({ action: 'delete', ids })).toEqual(each)
    expect(await bulk({ action: 'restore', ids })).toEqual(each)
    const copies = await bulk({ action: 'copy', ids: [a.id] })
    expect(reportIn(await one.get(`${PATH}${copies[0]?.copy}/`)).name).toBe('A report (copy)')
  })

  it('is shared with one person, and no more, each report with its own outcome', async () => {
    const owner = await ready('external_user')
    const [colleague, outsider] = [await api.signedIn('external_user'), await api.signedIn('external_user')]
    await api.db
      .insertInto('advertiser_member')
      .values({ advertiser: owner.advertiser, user_id: colleague.user.id })
      .execute()
    const [a, b] = [await owner.report(owner.body), await owner.report(owner.body)]
    const ids = [a.id, b.id]
    const bulk = (body: object) => owner.post(`${PATH}bulk/`, { ids, ...body })
    const codes = async (body: object) => outcomes(await bulk(body)).map(({ code }) => code)
    expect(await codes({ action: 'share', user: colleague.user.id, access: 'editor' })).toEqual([null, null])
    expect(idsIn(await colleague.get(`${PATH}?ordering=id`))).toEqual(ids)
    expect(reportIn(await colleague.get(`${PATH}${a.id}/`)).access).toBe('editor')
    expect(await codes({ action: 'share', user: outsider.user.id })).toEqual(
      Array(2).fill('field_not_available'),
    )
    expect(await codes({ action: 'unshare', user: colleague.user.id })).toEqual([null, null])
    expect(idsIn(await colleague.get(PATH))).toEqual([])
    expect(await codes({ action: 'unshare', user: colleague.user.id })).toEqual(Array(2).fill('not_found'))
    expectRefusal(await bulk({ action: 'share' }), 400, 'invalid', { user: ['field_required'] })
    const [sent] = outcomes(await bulk({ action: 'copy', to_user: colleague.user.id }))
    expect(reportIn(await colleague.get(`${PATH}${sent?.copy}/`))).toMatchObject({ access: 'owner' })
  })
})

const Outcomes = z.object({
  results: z.array(
    z.object({
      id: z.number(),
      status: z.string(),
      code: z.string().nullable(),
      copy: z.number().nullable(),
      access_before: z.string().nullable(),
    }),
  ),
})
const outcomes = (response: ApiResponse) => Outcomes.parse(response.body).results
