import { describe, expect, it } from 'vitest'
import { Advertiser, AdvertiserList, RelatedAdAccounts } from '#shared/api/advertisers.ts'
import { expectRefusal, testApi, type ApiResponse } from '#server/http/testing/api.ts'

const api = await testApi()
const boss = await api.signedIn('superuser')
const staff = await api.signedIn('staff')
const other = await api.signedIn('staff')
const client = await api.signedIn('external_user')

const PATH = '/api/advertiser/'
const AD_ACCOUNTS = `${PATH}relate/ad-account/`
const one = ({ body }: ApiResponse) => Advertiser.parse(body)
const names = ({ body }: ApiResponse) => AdvertiserList.parse(body).results.map(({ name }) => name)
const related = ({ body }: ApiResponse) => RelatedAdAccounts.parse(body).ad_accounts
let made = 0
const take = async (who = boss, facts: object = {}) =>
  one(await who.post(PATH, { name: `Customer ${(made += 1)}`, ...facts }))

describe('advertisers', () => {
  it('are created with their members, including the creator', async () => {
    const acme = await take(staff, { name: 'Acme', members: [client.user.id] })
    expect(acme).toMatchObject({ name: 'Acme', is_active: true })
    expect(acme.members.toSorted()).toEqual([client.user.id, staff.user.id].toSorted())
    expect((await take(boss)).members).toEqual([])
  })

  it('are listed to the people who may use them', async () => {
    await take(staff, { name: 'Seen by one' })
    expect(names(await staff.get(`${PATH}?search=seen by`))).toEqual(['Seen by one'])
    expect(names(await other.get(`${PATH}?search=seen by`))).toEqual([])
    expect(names(await boss.get(`${PATH}?search=seen by`))).toEqual(['Seen by one'])
    expectRefusal(await client.get(PATH), 403, 'forbidden')
  })

  it('do not exist for others', async () => {
    const { id } = await take(staff)
    const missing = await other.get(`${PATH}999999999/`)
    expectRefusal(await other.get(`${PATH}${id}/`), 404, 'not_found')
    expectRefusal(await other.patch(`${PATH}${id}/`, { name: 'Mine' }), 404, 'not_found')
    expect(missing.status).toBe(404)
  })

  it('have unique names, and members whom the creator may see', async () => {
    const { id, name } = await take()
    const second = await take()
    expectRefusal(await boss.post(PATH, { name }), 400, 'invalid', { name: ['name_taken'] })
    expectRefusal(await boss.patch(`${PATH}${second.id}/`, { name }), 400, 'invalid', {
      name: ['name_taken'],
    })
    expect(one(await boss.patch(`${PATH}${id}/`, { name, is_active: false }))).toMatchObject({
      is_active: false,
    })
    expectRefusal(await boss.patch(`${PATH}${id}/`, { members: [999_999_999] }), 400, 'invalid', {
      members: ['field_not_available'],
    })
  })

  it('have no clients of other advertisers as members, unless the creator serves those, too', async () => {
    const theirs = await api.signedIn('external_user')
    const members = [theirs.user.id]
    const { id: own } = await take(staff)
    const { id: of_other } = await take(other, { members })
    const fieldError = { members: ['field_not_available'] } as const
    const name = `Customer ${(made += 1)}`
    expectRefusal(await staff.patch(`${PATH}${own}/`, { members }), 400, 'invalid', fieldError)
    expectRefusal(await staff.post(PATH, { name, members }), 400, 'invalid', fieldError)
    await boss.patch(`${PATH}${of_other}/`, { members: [...members, staff.user.id] })
    const both = [...members, staff.user.id]
    expect(one(await staff.patch(`${PATH}${own}/`, { members: both })).members.toSorted()).toEqual(
      both.toSorted(),
    )
  })
})

describe('the accounts of an advertiser', () => {
  it('are assigned, moved and removed', async () => {
    const [first, second] = [await take(), await take()]
    const account = await api.account({ advertiser: null })
    const give = (advertiser: number) => boss.post(AD_ACCOUNTS, { advertiser, ad_accounts: [account] })
    expect(related(await give(first.id))).toEqual([account])
    expect(related(await give(second.id))).toEqual([account])
    expect(related(await boss.get(`${AD_ACCOUNTS}?advertiser=${first.id}`))).toEqual([])
    const removal = await boss.delete(AD_ACCOUNTS, { advertiser: second.id, ad_accounts: [account] })
    expect(related(removal)).toEqual([])
  })

  it('can be used by its members, and taken over by nobody else', async () => {
    const mine = await take(staff)
    const theirs = await take(other)
    const account = await api.account({ advertiser: null })
    await boss.post(AD_ACCOUNTS, { advertiser: mine.id, ad_accounts: [account] })
    expect((await staff.get(`/api/ad/account/${account}/`)).status).toBe(200)
    expect((await other.get(`/api/ad/account/${account}/`)).status).toBe(404)
    const grab = await other.post(AD_ACCOUNTS, { advertiser: theirs.id, ad_accounts: [account] })
    expectRefusal(grab, 400, 'invalid', { ad_accounts: ['field_not_available'] })
    const nobodys = await api.account({ advertiser: null })
    const claim = await staff.post(AD_ACCOUNTS, { advertiser: mine.id, ad_accounts: [nobodys] })
    expectRefusal(claim, 400, 'invalid', { ad_accounts: ['field_not_available'] })
  })

  it('are not removed from an advertiser that they do not belong to', async () => {
    const [first, second] = [await take(), await take()]
    const account = await api.account({ advertiser: null })
    await boss.post(AD_ACCOUNTS, { advertiser: first.id, ad_accounts: [account] })
    const taken = await boss.delete(AD_ACCOUNTS, { advertiser: second.id, ad_accounts: [account] })
    expectRefusal(taken, 400, 'invalid', { ad_accounts: ['field_not_available'] })
  })
})
