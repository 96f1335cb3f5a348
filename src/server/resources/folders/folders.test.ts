import { describe, expect, it } from 'vitest'
import { randomBelow } from '#server/testing/random.ts'
import { z } from 'zod'
import { Folder, MAX_LAYERS } from '#shared/api/folders.ts'
import { expectRefusal, testApi, type ApiResponse, type Client } from '#server/http/testing/api.ts'

const api = await testApi()
const PATH = '/api/gs-template-folder/'

const foldersIn = (response: ApiResponse) => z.array(Folder).parse(response.body)
const namesIn = (response: ApiResponse) =>
  foldersIn(response)
    .filter(folder => folder.layer > 0)
    .map(folder => folder.name)

describe('the list of folders', () => {
  it('always has the root, with its reports counted', async () => {
    const { get, report } = await api.signedIn('external_user')
    await report()
    expect(foldersIn(await get(PATH))).toEqual([
      { id: null, name: '', layer: 0, parent: null, reports: 1, last_modified_at: null },
    ])
  })

  it('is flat without p, and the subfolders of p with it', async () => {
    const { get, folder } = await api.signedIn('staff')
    const outer = await folder({ name: 'outer' })
    await folder({ name: 'inner', parent: outer.id })
    expect(namesIn(await get(`${PATH}?ordering=name`))).toEqual(['inner', 'outer'])
    expect(namesIn(await get(`${PATH}?p=0`))).toEqual(['outer'])
    expect(namesIn(await get(`${PATH}?p=${outer.id}`))).toEqual(['inner'])
  })

  it('is ordered by the last change, newest first by default', async () => {
    const { get, patch, folder } = await api.signedIn('staff')
    const started = api.clock.now
    const first = await folder({ name: 'a' })
    api.clock.now = new Date(started.getTime() + 1000)
    await folder({ name: 'b' })
    expect(namesIn(await get(PATH))).toEqual(['b', 'a'])
    api.clock.now = new Date(started.getTime() + 2000)
    await patch(`${PATH}${first.id}/`, { name: 'c' })
    expect(namesIn(await get(PATH))).toEqual(['c', 'b'])
    expect(namesIn(await get(`${PATH}?ordering=name`))).toEqual(['b', 'c'])
    expectRefusal(await get(`${PATH}?ordering=owner`), 400, 'invalid', { ordering: ['field_invalid'] })
  })

  it('holds nobody else’s folders', async () => {
    const one = await api.signedIn('external_user')
    const other = await api.signedIn('superuser')
    const { id } = await one.folder()
    expect(namesIn(await other.get(PATH))).toEqual([])
    expectRefusal(await other.patch(`${PATH}${id}/`, { name: 'mine' }), 404, 'not_found')
    expectRefusal(await other.delete(`${PATH}${id}/`, { mode: 'keepitems' }), 404, 'not_found')
  })
})

describe('making a folder', () => {
  it('responds 201 with the folder', async () => {
    const { post } = await api.signedIn('external_user')
    const response = await post(PATH, { name: '  Clients ', parent: null })
    expect(response).toMatchObject({
      status: 201,
      body: { name: 'Clients', layer: 1, parent: null, reports: 0 },
    })
  })

  it('has 0 for the root wherever a folder is named', async () => {
    const { post, patch, get, folder, report } = await api.signedIn('external_user')
    const outer = Folder.parse((await post(PATH, { name: 'outer', parent: 0 })).body)
    expect(outer.parent).toBeNull()
    const inner = await folder({ name: 'inner', parent: outer.id })
    expect(Folder.parse((await patch(`${PATH}${inner.id}/`, { parent: 0 })).body)).toMatchObject({
      parent: null,
      layer: 1,
    })
    const filed = await report({ folder: outer.id })
    const bulk = { action: 'move', ids: [filed.id], folder: 0 }
    expect((await post('/api/gs-template-setting/bulk/', bulk)).status).toBe(200)
    const made = await report({ folder: 0 })
    const copied = await post(`/api/gs-template-setting/${made.id}/copy/`, { folder: 0 })
    expect(copied.body).toMatchObject({ folder: null })
    const atRoot = await get('/api/gs-template-setting/?folder=0')
    expect(atRoot.body).toMatchObject({ count: 3 })
  })

  it('is refused with `name` when that is empty or taken among its siblings', async () => {
    const { post, folder } = await api.signedIn('external_user')
    const { id } = await folder({ name: 'Brand' })
    for (const name of ['', '   ', 'Brand', 'brand', 'ＢＲＡＮＤ'])
      expectRefusal(await post(PATH, { name, parent: null }), 400, 'invalid', { name: ['folder_name'] })
    expect(await post(PATH, { name: 'Brand', parent: id })).toMatchObject({ status: 201, body: { layer: 2 } })
  })

  it('is refused with `layer` in the third layer', async () => {
    const { post, folder } = await api.signedIn('external_user')
    const inner = await folder({ parent: (await folder()).id })
    expectRefusal(await post(PATH, { name: 'deeper', parent: inner.id }), 400, 'invalid', {
      layer: ['folder_layer'],
    })
  })

  it('is refused under another person’s folder exactly as under one that does not exist', async () => {
    const { id } = await (await api.signedIn('staff')).folder()
    const { post } = await api.signedIn('superuser')
    for (const parent of [id, 999_999])
      expectRefusal(await post(PATH, { name: 'x', parent }), 400, 'invalid', {
        parent: ['field_not_available'],
      })
  })

  it('is refused with unknown fields, and with names that the database cannot hold', async () => {
    const { post } = await api.signedIn('staff')
    expectRefusal(await post(PATH, { name: 'x', owner: 1 }), 400, 'invalid', { owner: ['field_unknown'] })
    expectRefusal(await post(PATH, { name: 'x'.repeat(121) }), 400, 'invalid', { name: ['field_too_long'] })
    expectRefusal(await post(PATH, { name: 'a\u0000b' }), 400, 'invalid')
    expectRefusal(await post(PATH, {}), 400, 'invalid', { name: ['field_required'] })
  })
})

describe('renaming and moving a folder', () => {
  it('renames', async () => {
    const { patch, folder } = await api.signedIn('staff')
    const { id } = await folder()
    expect(await patch(`${PATH}${id}/`, { name: 'New' })).toMatchObject({
      status: 200,
      body: { id, name: 'New' },
    })
    expect(await patch(`${PATH}${id}/`, { name: 'NEW' })).toMatchObject({
      status: 200,
      body: { name: 'NEW' },
    })
  })

  it('refuses a name that a sibling has', async () => {
    const { patch, folder } = await api.signedIn('staff')
    await folder({ name: 'A' })
    const { id } = await folder({ name: 'B' })
    expectRefusal(await patch(`${PATH}${id}/`, { name: 'a' }), 400, 'invalid', { name: ['folder_name'] })
  })

  it('moves a folder without subfolders into another one and back', async () => {
    const { patch, folder } = await api.signedIn('staff')
    const [outer, inner] = [await folder(), await folder()]
    expect(await patch(`${PATH}${inner.id}/`, { parent: outer.id })).toMatchObject({
      body: { layer: 2, parent: outer.id },
    })
    expect(await patch(`${PATH}${inner.id}/`, { parent: null })).toMatchObject({
      body: { layer: 1, parent: null },
    })
  })

  it('refuses to move one that has subfolders, into the third layer, into itself or onto a taken name', async () => {
    const { patch, folder } = await api.signedIn('staff')
    const outer = await folder({ name: 'outer' })
    const inner = await folder({ name: 'inner', parent: outer.id })
    const other = await folder({ name: 'other' })
    const namesake = await folder({ name: 'Inner' })
    const move = (id: number, parent: number | null) => patch(`${PATH}${id}/`, { parent })
    expectRefusal(await move(outer.id, other.id), 400, 'has_subfolders')
    expectRefusal(await move(other.id, inner.id), 400, 'invalid', { layer: ['folder_layer'] })
    expectRefusal(await move(other.id, other.id), 400, 'invalid', { parent: ['field_invalid'] })
    expectRefusal(await move(namesake.id, outer.id), 400, 'invalid', { name: ['folder_name'] })
  })
})

describe('deleting a folder', () => {
  it('needs a mode unless the folder is empty', async () => {
    const { delete: remove, folder, get } = await api.signedIn('staff')
    const outer = await folder()
    const inner = await folder({ parent: outer.id })
    expectRefusal(await remove(`${PATH}${outer.id}/`), 400, 'invalid', { mode: ['folder_mode'] })
    expect(await remove(`${PATH}${inner.id}/`)).toMatchObject({
      status: 200,
      body: { folders: 1, reports: 0 },
    })
    expect(await remove(`${PATH}${outer.id}/`)).toMatchObject({ status: 200 })
    expect(namesIn(await get(PATH))).toEqual([])
    expectRefusal(await remove(`${PATH}${outer.id}/`), 404, 'not_found')
  })

  it('keeps the items by moving them up, under a free name where theirs is taken', async () => {
    const { delete: remove, folder, report, get } = await api.signedIn('staff')
    const outer = await folder({ name: 'outer' })
    await folder({ name: 'Same' })
    await folder({ name: 'same', parent: outer.id })
    await folder({ name: 'outer', parent: outer.id })
    const { id } = await report({ folder: outer.id })
    expect(await remove(`${PATH}${outer.id}/`, { mode: 'keepitems' })).toMatchObject({
      status: 200,
      body: { folders: 1, reports: 0 },
    })
    expect(namesIn(await get(`${PATH}?ordering=name`))).toEqual(['outer', 'Same', 'same (2)'])
    expect(await get(`/api/gs-template-setting/${id}/`)).toMatchObject({ body: { folder: null } })
  })

  it('deletes the items with it, down to the second layer, so that they can be restored', async () => {
    const { delete: remove, post, folder, report, get } = await api.signedIn('staff')
    const outer = await folder()
    const inner = await folder({ parent: outer.id })
    const { id } = await report({ folder: inner.id })
    await report({ folder: outer.id })
    expect(await remove(`${PATH}${outer.id}/`, { mode: 'deleteitems' })).toMatchObject({
      body: { folders: 2, reports: 2 },
    })
    expectRefusal(await get(`/api/gs-template-setting/${id}/`), 404, 'not_found')
    expect(await post(`/api/gs-template-setting/${id}/restore/`)).toMatchObject({
      status: 200,
      body: { id, folder: null },
    })
  })
})

describe('restoring a folder', () => {
  it('restores what was deleted with it, each at its parent, also what somebody had filed there', async () => {
    const { delete: remove, post, folder, report, get, user } = await api.signedIn('staff')
    const outer = await folder({ name: 'Back' })
    const inner = await folder({ name: 'Inner', parent: outer.id })
    const [current, earlier] = [await report({ folder: inner.id }), await report({ folder: outer.id })]
    const other = await api.signedIn('staff')
    const { id: shared } = await other.report()
    await other.post(`/api/gs-template-setting/${shared}/share/`, { user: user.id, access: 'viewer' })
    await post('/api/gs-template-setting/bulk/', { action: 'move', ids: [shared], folder: outer.id })
    await remove(`/api/gs-template-setting/${earlier.id}/`)
    api.clock.now = new Date(api.clock.now.getTime() + 1000)
    await remove(`${PATH}${outer.id}/`, { mode: 'deleteitems' })
    expect(await get(`/api/gs-template-setting/${shared}/`)).toMatchObject({ body: { folder: null } })
    await folder({ name: 'back' })
    expect(await post(`${PATH}${outer.id}/restore/`)).toMatchObject({
      status: 200,
      body: { folders: 2, reports: 1 },
    })
    expect(namesIn(await get(`${PATH}?ordering=name`))).toEqual(['back', 'Back (2)', 'Inner'])
    expect(await get(`/api/gs-template-setting/${current.id}/`)).toMatchObject({ body: { folder: inner.id } })
    expect(await get(`/api/gs-template-setting/${shared}/`)).toMatchObject({ body: { folder: outer.id } })
    // Deleted by itself before, it stays so.
    expectRefusal(await get(`/api/gs-template-setting/${earlier.id}/`), 404, 'not_found')
    expectRefusal(await post(`${PATH}${outer.id}/restore/`), 404, 'not_found')
  })

  it('moves it to the root when its parent is gone, and is for its owner alone', async () => {
    const { delete: remove, post, folder, get } = await api.signedIn('staff')
    const outer = await folder()
    const inner = await folder({ name: 'Orphan', parent: outer.id })
    await remove(`${PATH}${inner.id}/`)
    await remove(`${PATH}${outer.id}/`)
    const outsider = await api.signedIn('staff')
    expectRefusal(await outsider.post(`${PATH}${inner.id}/restore/`), 404, 'not_found')
    expect((await post(`${PATH}${inner.id}/restore/`)).status).toBe(200)
    expect(foldersIn(await get(PATH)).filter(({ layer }) => layer > 0)).toMatchObject([
      { name: 'Orphan', parent: null, layer: 1 },
    ])
  })

  it('stays within two layers when it was moved between two deletions at one moment', async () => {
    const { delete: remove, post, patch, folder, get } = await api.signedIn('staff')
    const [target, outer] = [await folder({ name: 'Place' }), await folder({ name: 'Outer' })]
    const inner = await folder({ name: 'Inner', parent: outer.id })
    await remove(`${PATH}${inner.id}/`)
    expect((await patch(`${PATH}${outer.id}/`, { parent: target.id })).status).toBe(200)
    await remove(`${PATH}${outer.id}/`)
    expect((await post(`${PATH}${outer.id}/restore/`)).status).toBe(200)
    expect(
      foldersIn(await get(`${PATH}?ordering=id`)).map(({ name, parent, layer }) => ({ name, parent, layer })),
    ).toMatchObject([
      { layer: 0 },
      { name: 'Place', parent: null, layer: 1 },
      { name: 'Outer', parent: null, layer: 1 },
      { name: 'Inner', parent: outer.id, layer: 2 },
    ])
  })
})

describe('32 clients at once on one tree', () => {
  const CLIENTS = 32
  /** Of each client. */
  const OPERATIONS = Number(process.env.FOLDER_OPERATIONS ?? (process.env.LONG ? 500 : 12))

  it('never make it too deep, a circle or two names alike, and never fail', async () => {
    const client = await api.signedIn('staff')
    const recent: number[] = []
    const counted = new Map<number, number>()
    await Promise.all(
      Array.from({ length: CLIENTS }, async (_, seed) => {
        const random = randomBelow(seed + 1)
        for (let nth = 0; nth < OPERATIONS; nth += 1) {
          const { status } = await randomOperation(client, { random, recent })
          counted.set(status, (counted.get(status) ?? 0) + 1)
        }
      }),
    )
    const total = counted.values().reduce((sum, count) => sum + count, 0)
    expect(total).toBe(CLIENTS * OPERATIONS)
    expect([...counted.keys()].filter(status => ![200, 201, 400, 404].includes(status))).toEqual([])
    // Refused alone, nothing would have been tested.
    expect((counted.get(200) ?? 0) + (counted.get(201) ?? 0)).toBeGreaterThan(total / 10)
    const tree = foldersIn(await client.get(PATH)).filter(folder => folder.layer > 0)
    for (const { id, layer, parent } of tree) {
      const above = tree.find(folder => folder.id === parent)
      expect({ id, layer, has_parent: parent !== null }).toEqual({
        id,
        layer: (above?.layer ?? 0) + 1,
        has_parent: above !== undefined,
      })
      expect(layer).toBeLessThanOrEqual(MAX_LAYERS)
    }
    const siblings = tree.map(folder => `${folder.parent} ${folder.name.toLowerCase()}`)
    expect(new Set(siblings).size).toBe(siblings.length)
    if (process.env.LONG) console.log(`${total} folder operations: ${JSON.stringify([...counted])}`)
  })
})

/**
 * Create, move, rename, delete and restore, over few names and the folders made last, so that they collide.
 */
async function randomOperation(
  { post, patch, delete: remove }: Client,
  { random, recent }: { random: (below: number) => number; recent: number[] },
): Promise<ApiResponse> {
  const someone = () => recent[random(recent.length)] ?? null
  const target = someone()
  const parent = random(3) === 0 ? null : someone()
  const name = `Folder ${random(11)}`
  const kind = random(6)
  if (kind < 2 || target === null) {
    const response = await post(PATH, { name, parent })
    if (response.status === 201) recent.push(Number(Folder.parse(response.body).id))
    if (recent.length > 60) recent.shift()
    return response
  }
  if (kind === 2) return await patch(`${PATH}${target}/`, { parent })
  if (kind === 3) return await patch(`${PATH}${target}/`, { name })
  if (kind === 4) return await post(`${PATH}${target}/restore/`)
  return await remove(`${PATH}${target}/`, { mode: random(2) ? 'keepitems' : 'deleteitems' })
}
