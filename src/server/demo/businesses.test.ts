import { beforeAll, expect, it } from 'vitest'
import { BusinessAccountList } from '#shared/api/businesses.ts'
import { IdentityReply } from '#shared/api/people.ts'
import { testContext } from '#server/connectors/testing/context.ts'
import { expectRefusal, type Client } from '#server/http/testing/api.ts'
import { businessAgency, NOW } from '#server/resources/businesses/testing/agency.ts'
import { insertBusinesses } from './businesses.ts'
import { demoPeople } from './people.ts'

const agency = await businessAgency()
const people = new Map<string, Client>()
for (const { username, identity, department, advertisers } of demoPeople) {
  const person = await agency.signedIn(identity, { username, ...(department !== null && { department }) })
  await agency.serve(person.user.id, ...advertisers)
  people.set(username, person)
}
const who = (username: string) => {
  const person = people.get(username)
  if (!person) throw new Error(username)
  return person
}

beforeAll(() =>
  insertBusinesses(agency.db, {
    vault: agency.effects.vault,
    platforms: testContext(agency.sandbox.base_url, NOW),
    time_zone: 'Asia/Taipei',
    now: new Date(NOW),
  }),
)

const accountsOf = async (username: string) => {
  const { body } = await who(username).get('/api/fb-business/adaccount/?limit=100')
  const { results } = BusinessAccountList.parse(body)
  return [results.length, [...new Set(results.map(account => account.advertiser_name))].toSorted()]
}
const available = async (username: string) =>
  IdentityReply.parse((await who(username).get('/api/users/identity/')).body).availableBM

it('the whole business is with the director, the superuser and the manager', async () => {
  for (const username of ['director', 'superuser', 'manager'])
    expect([username, (await accountsOf(username))[0]]).toEqual([username, 18])
})

it('Sam sees the accounts of Aurora and Delta alone', async () => {
  expect(await accountsOf('staff')).toEqual([6, ['Aurora Cosmetics', 'Delta Fitness']])
  expect(Object.values(await available('staff'))).toEqual(['Sheetcast Agency'])
})

it('the clients have no business manager, and so no entry in the menu', async () => {
  for (const username of ['client-a', 'client-b']) {
    expect(await available(username)).toEqual({})
    expectRefusal(await who(username).get('/api/fb-business/adaccount/'), 403, 'forbidden')
  }
})
