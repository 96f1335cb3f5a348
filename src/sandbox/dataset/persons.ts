import { ADVERTISERS, type Advertiser } from './agency.ts'

// The people who sign in at the consent pages of the platforms, and whose accounts they see there.

export const PERSONS = {
  'agency-admin': {
    name: 'Mei Lin',
    position: 'agency admin: all accounts',
    email: 'admin@agency.demo',
    number: 3,
    advertisers: ADVERTISERS,
  },
  'agency-analyst': {
    name: 'Ken Ito',
    position: 'agency analyst: Aurora and Borealis',
    email: 'analyst@agency.demo',
    number: 4,
    advertisers: ['Aurora Cosmetics', 'Borealis Outdoor'],
  },
  'client-admin': {
    name: 'Sara Cole',
    position: 'client admin: Cedar',
    email: 'admin@cedar.demo',
    number: 5,
    advertisers: ['Cedar Coffee'],
  },
  nobody: {
    name: 'Tom Reed',
    position: "nobody's account: nothing",
    email: 'nobody@mail.demo',
    number: 6,
    advertisers: [],
  },
} as const satisfies Record<string, Person>

export type PersonId = keyof typeof PERSONS

export interface Person {
  name: string
  position: string
  email: string
  /** Part of their ids at the platforms. */
  number: number
  advertisers: readonly Advertiser[]
}

export const isPerson = (text: string): text is PersonId => Object.hasOwn(PERSONS, text)

/** Whether an account is one of an advertiser of theirs. */
export const maySee = (person: PersonId, { advertiser }: { advertiser: string }) =>
  personOf(person).advertisers.some(each => each === advertiser)

export const personOf = (id: PersonId): Person => PERSONS[id]

/** Who has that e-mail address. */
export const personAt = (email: string): PersonId | null =>
  Object.keys(PERSONS)
    .filter(isPerson)
    .find(id => PERSONS[id].email === email) ?? null
