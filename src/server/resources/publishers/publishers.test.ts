import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { ImportReply } from '#shared/api/customers.ts'
import { Publisher, PublisherList } from '#shared/api/materials.ts'
import { expectRefusal, testApi, type ApiResponse, type Client } from '#server/http/testing/api.ts'

const api = await testApi()
const staff = await api.signedIn('staff')
const colleague = await api.signedIn('staff')
const manager = await api.signedIn('manager', { department: 2 })
const client = await api.signedIn('external_user')

const PATH = '/api/publisher/'
const one = ({ body }: ApiResponse) => Publisher.parse(body)
const names = ({ body }: ApiResponse) => PublisherList.parse(body).results.map(({ name }) => name)
const made = async (facts: object = {}) => {
  const response = await staff.post(PATH, { name: randomUUID(), ...facts })
  expect(response, JSON.stringify(response.body)).toMatchObject({ status: 201 })
  return one(response)
}
const update = ({ id }: { id: number }, body: object) => staff.patch(`${PATH}${id}/`, { version: 1, ...body })
const remove = (who: Client, { id }: { id: number }) => who.delete(`${PATH}${id}/`, { version: 1 })
const chen = { name: 'Chen', title: '業務', phone: '+886 2', email: 'chen@news.example', is_billing: false }

describe('publishers', () => {
  it('have a type, a channel, a website, people to call and a note', async () => {
    const facts = {
      type: 'news',
      channel: 'yg',
      website: 'https://news.example/ads',
      contacts: [chen],
      note: 'Two\nlines',
    }
    expect(await made(facts)).toMatchObject({
      ...facts,
      version: 1,
      created_by: staff.user.id,
      may_delete: true,
    })
    expect(await made()).toMatchObject({ type: 'other', channel: null, website: '', contacts: [], note: '' })
    expectRefusal(await client.get(PATH), 403, 'forbidden')
  })

  it.each([
    ['name', 'field_required', { name: '' }],
    ['type', 'field_invalid', { type: 'radio' }],
    ['channel', 'field_invalid', { channel: 'xx' }],
    ['website', 'field_invalid', { website: 'javascript:alert(1)' }],
    ['note', 'field_too_long', { note: 'x'.repeat(4001) }],
    ['contacts.0.email', 'field_invalid', { contacts: [{ ...chen, email: 'no mail' }] }],
  ] as const)('refuse a wrong %s: %s', async (field, code, facts) => {
    expectRefusal(await staff.post(PATH, { name: randomUUID(), ...facts }), 400, 'invalid', {
      [field]: [code],
    })
  })

  it('are the whole agency’s, and have names of their own, whatever the case', async () => {
    const { id, name } = await made()
    expect(one(await colleague.get(`${PATH}${id}/`)).name).toBe(name)
    expect((await colleague.patch(`${PATH}${id}/`, { version: 1, type: 'video' })).status).toBe(200)
    const taken = { name: ['name_taken'] } as const
    expectRefusal(await colleague.post(PATH, { name: name.toUpperCase() }), 400, 'invalid', taken)
    expectRefusal(await update(await made(), { name: name.toUpperCase() }), 400, 'invalid', taken)
  })

  it('are changed by one of two who have read the same version', async () => {
    const publisher = await made()
    const [first, second] = await Promise.all([
      update(publisher, { note: 'A' }),
      update(publisher, { note: 'B' }),
    ])
    const [won, lost] = first.status === 200 ? [first, second] : [second, first]
    expectRefusal(lost, 409, 'conflict')
    expect(lost.body).toMatchObject({ publisher: one(won) })
  })

  it('are deleted by their maker or a manager, once no link names them', async () => {
    const publisher = await made()
    expect(one(await colleague.get(`${PATH}${publisher.id}/`)).may_delete).toBe(false)
    expectRefusal(await remove(colleague, publisher), 403, 'forbidden')
    const advertiser = await api.advertiser('Aurora')
    const link = { utm_source: 'x', utm_medium: 'x', utm_campaign: 'x', landing_url: 'x', link: 'x' }
    await api.db
      .insertInto('link')
      .values({ advertiser, publisher: publisher.id, name: 'x', ga4_channel: 'Unassigned', ...link })
      .execute()
    const refused = await remove(staff, publisher)
    expectRefusal(refused, 409, 'in_use')
    expect(Object(refused.body).by).toEqual({ links: 1 })
    for (const who of [staff, manager]) expect((await remove(who, await made())).status).toBe(204)
  })

  it('leave neither notes nor people in the trail', async () => {
    const publisher = await made({ note: 'A secret sentence', contacts: [chen] })
    await update(publisher, { note: 'Another sentence', contacts: [chen, { ...chen, name: 'Lin' }] })
    const boss = await api.signedIn('superuser')
    const { body } = await boss.get(`/api/audit/?object=publisher&limit=100`)
    const lines = JSON.stringify(body)
    expect(lines).toContain('"contacts":{"to":2,"from":1}')
    for (const text of ['sentence', 'Chen', 'Lin', 'chen@']) expect(lines).not.toContain(text)
  })
})

describe('the list of publishers', () => {
  it('is searched by name and website, filtered, ordered and exported', async () => {
    await made({ name: 'Findable news', type: 'news', website: 'https://one.example' })
    await made({ name: 'Findable video', type: 'video', channel: 'fb' })
    const found = async (query: string) => names(await staff.get(`${PATH}?${query}`))
    expect(await found('search=FINDABLE')).toEqual(['Findable news', 'Findable video'])
    expect(await found('search=one.example')).toEqual(['Findable news'])
    expect(await found('search=findable&type=video')).toEqual(['Findable video'])
    expect(await found('search=findable&channel=fb')).toEqual(['Findable video'])
    expect(await found('search=findable&ordering=-channel')).toEqual(['Findable video', 'Findable news'])
    for (const ordering of ['-name', 'type', 'last_modified_at', '-id'])
      expect(await found(`search=findable&ordering=${ordering}`)).toHaveLength(2)
    const { body } = await staff.get(`${PATH}?search=findable&format=csv`)
    expect(String(body).split('\r\n').slice(1, 3)).toEqual([
      'Findable news,news,,https://one.example,,',
      'Findable video,video,fb,,,',
    ])
  })
})

describe('an import of publishers', () => {
  const send = (content: string, { who = staff, dry_run = false } = {}) => {
    const form = new FormData()
    form.set('file', new File([content], 'publishers.csv', { type: 'text/csv' }))
    return who.post(`${PATH}import/?dry_run=${dry_run}`, form)
  }
  const outcome = ({ body }: ApiResponse) => ImportReply.parse(body)

  it('takes back what was exported, in either language, as the same', async () => {
    await made({ name: '-Odd, "name"', contacts: [chen], channel: 'tt', note: 'Two\nlines' })
    const { count } = PublisherList.parse((await staff.get(PATH)).body)
    for (const language of ['zh-TW', 'en']) {
      await staff.patch(`/api/users/${staff.user.id}/`, { language })
      const file = String((await staff.get(`${PATH}?format=csv`)).body)
      expect(outcome(await send(file))).toEqual({ create: 0, change: 0, same: count, problems: [] })
    }
  })

  it('creates and changes by name, whatever its case', async () => {
    const { id } = await made({ name: 'Imported daily', note: 'stays' })
    const file = 'name,type,channel\nIMPORTED DAILY,news,\nImported weekly,influencer,tt'
    const counts = { create: 1, change: 1, same: 0, problems: [] }
    expect(outcome(await send(file, { dry_run: true }))).toEqual(counts)
    expect(outcome(await send(file))).toEqual(counts)
    expect(one(await staff.get(`${PATH}${id}/`))).toMatchObject({
      name: 'IMPORTED DAILY',
      type: 'news',
      note: 'stays',
      version: 2,
    })
    expect(names(await staff.get(`${PATH}?search=imported`))).toEqual(['IMPORTED DAILY', 'Imported weekly'])
  })

  it('writes nothing with a problem, and is for the agency’s people', async () => {
    const file = 'name,type\nTwice,news\ntwice,news\nWrong,radio\n'
    const refused = await send(file)
    expectRefusal(refused, 400, 'invalid', { file: ['field_invalid'] })
    expect(outcome(refused).problems).toEqual([
      { row: 3, field: 'name', code: 'name_taken' },
      { row: 4, field: 'type', code: 'field_invalid' },
    ])
    expect(names(await staff.get(`${PATH}?search=twice`))).toEqual([])
    expectRefusal(await send(file, { who: client }), 403, 'forbidden')
  })
})
