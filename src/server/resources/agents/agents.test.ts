import { describe, expect, it } from 'vitest'
import { Agent, AgentList } from '#shared/api/customers.ts'
import { expectRefusal, testApi, type ApiResponse } from '#server/http/testing/api.ts'

const api = await testApi()
const boss = await api.signedIn('superuser')
const manager = await api.signedIn('manager', { department: 2 })
const staff = await api.signedIn('staff')
const client = await api.signedIn('external_user')

const PATH = '/api/agent/'
const one = ({ body }: ApiResponse) => Agent.parse(body)
const names = ({ body }: ApiResponse) => AgentList.parse(body).results.map(({ name }) => name)
let made = 0
const take = async (facts: object = {}) =>
  one(await staff.post(PATH, { name: `Agent ${(made += 1)}`, ...facts }))
const advertiserOf = async (agent: number, members: number[] = []) => {
  const id = await api.advertiser(`Customer ${(made += 1)}`, members)
  await api.db.updateTable('advertiser').set({ agent }).where('id', '=', id).execute()
}

describe('agents', () => {
  it('have a commission, contacts and terms', async () => {
    const facts = {
      tax_id: '10458575',
      address: '台北市信義區松高路 1 號',
      commission_rate: 1000,
      commission_base: 'media',
      contacts: [{ name: 'Chen', title: '', phone: '', email: 'chen@agent.example', is_billing: true }],
      payment_terms: { kind: 'month_end', days: 60 },
      note: '',
    }
    expect(await take(facts)).toMatchObject({ ...facts, is_active: true, version: 1, advertisers: 0 })
    expect(await take()).toMatchObject({ commission_rate: 0, commission_base: 'fee', tax_country: 'TW' })
    expectRefusal(await client.get(PATH), 403, 'forbidden')
  })

  it('have names of their own, whatever the case, and valid tax ids', async () => {
    const { name } = await take()
    const second = await take()
    expectRefusal(await staff.post(PATH, { name: name.toUpperCase() }), 400, 'invalid', {
      name: ['name_taken'],
    })
    const change = (body: object) => staff.patch(`${PATH}${second.id}/`, { version: 1, ...body })
    expectRefusal(await change({ name: name.toLowerCase() }), 400, 'invalid', { name: ['name_taken'] })
    expectRefusal(await change({ tax_id: '12345678' }), 400, 'invalid', { tax_id: ['tax_id_checksum'] })
    expectRefusal(await staff.post(PATH, { name: 'Other', tax_id: '1' }), 400, 'invalid', {
      tax_id: ['tax_id_format'],
    })
    expectRefusal(await staff.post(PATH, { name: 'Other', commission_rate: 10_001 }), 400, 'invalid', {
      commission_rate: ['field_invalid'],
    })
  })

  it('are found by name and tax id, and by whether they are active', async () => {
    const { id, name } = await take({ name: 'Findable agent', tax_id: '04595252' })
    expect(names(await staff.get(`${PATH}?search=findable`))).toEqual([name])
    expect(names(await staff.get(`${PATH}?search=04595252`))).toEqual([name])
    expect(one(await staff.patch(`${PATH}${id}/`, { version: 1, is_active: false })).is_active).toBe(false)
    expect(names(await staff.get(`${PATH}?search=findable&is_active=true`))).toEqual([])
    expect(names(await staff.get(`${PATH}?search=findable&is_active=false`))).toEqual([name])
    for (const ordering of ['name', '-commission_rate', '-advertisers', 'last_modified_at', 'id'])
      expect((await staff.get(`${PATH}?ordering=${ordering}`)).status).toBe(200)
  })

  it('are changed by one of two who have read the same version', async () => {
    const { id } = await take()
    const change = (note: string) => staff.patch(`${PATH}${id}/`, { version: 1, note })
    const [first, second] = await Promise.all([change('first'), change('second')])
    const [won, lost] = first.status === 200 ? [first, second] : [second, first]
    expectRefusal(lost, 409, 'conflict')
    expect(lost.body).toMatchObject({ agent: { version: 2, note: one(won).note } })
  })

  it('count the advertisers that the reader may see, and are deleted without any', async () => {
    const { id } = await take()
    const body = { version: 1 }
    await advertiserOf(id, [staff.user.id])
    await advertiserOf(id)
    expect(one(await staff.get(`${PATH}${id}/`)).advertisers).toBe(1)
    expect(one(await boss.get(`${PATH}${id}/`)).advertisers).toBe(2)
    expectRefusal(await staff.delete(`${PATH}${id}/`, body), 403, 'forbidden')
    const refused = await manager.delete(`${PATH}${id}/`, body)
    expectRefusal(refused, 409, 'in_use')
    expect(refused.body).toMatchObject({ by: { advertisers: 2 } })
    const { id: unused } = await take()
    expect((await manager.delete(`${PATH}${unused}/`, body)).status).toBe(204)
    expectRefusal(await staff.get(`${PATH}${unused}/`), 404, 'not_found')
  })
})
