import type { IdentityName } from '#shared/access.ts'

export interface DemoPerson {
  username: string
  full_name: string
  identity: IdentityName
  /** 1 general manager … 7 finance */
  department: number | null
  /** 1 employee, 2 client */
  user_type: 1 | 2
  position: string
  email: string
  /** Advertisers that the person serves or belongs to. */
  advertisers: string[]
}

const agency = { user_type: 1 as const }

/** The people whom the sign-in page of the demo lists. */
export const demoPeople: DemoPerson[] = [
  {
    ...agency,
    username: 'superuser',
    full_name: 'Sasha Lin',
    identity: 'superuser',
    department: 6,
    position: 'Platform owner',
    email: 'superuser@sheetcast.demo',
    advertisers: [],
  },
  {
    ...agency,
    username: 'director',
    full_name: 'Dana Wu',
    identity: 'director',
    department: 1,
    position: 'Director',
    email: 'director@sheetcast.demo',
    advertisers: [],
  },
  {
    ...agency,
    username: 'manager',
    full_name: 'Mika Chen',
    identity: 'manager',
    department: 2,
    position: 'Account manager',
    email: 'manager@sheetcast.demo',
    advertisers: ['Aurora Cosmetics', 'Cedar Coffee', 'Fjord Travel'],
  },
  {
    ...agency,
    username: 'staff',
    full_name: 'Sam Huang',
    identity: 'staff',
    department: 2,
    position: 'Campaign specialist',
    email: 'staff@sheetcast.demo',
    advertisers: ['Aurora Cosmetics', 'Delta Fitness'],
  },
  {
    ...agency,
    username: 'finance',
    full_name: 'Fei Tsai',
    identity: 'staff',
    department: 7,
    position: 'Controller',
    email: 'finance@sheetcast.demo',
    advertisers: ['Ember Games'],
  },
  {
    username: 'client-a',
    full_name: 'Alice Aurora',
    identity: 'external_user',
    department: null,
    user_type: 2,
    position: 'Marketing lead',
    email: 'client-a@aurora.demo',
    advertisers: ['Aurora Cosmetics'],
  },
  {
    username: 'client-b',
    full_name: 'Bo Borealis',
    identity: 'external_user',
    department: null,
    user_type: 2,
    position: 'E-commerce manager',
    email: 'client-b@borealis.demo',
    advertisers: ['Borealis Outdoor'],
  },
]

export const demoAdvertisers = [
  'Aurora Cosmetics',
  'Borealis Outdoor',
  'Cedar Coffee',
  'Delta Fitness',
  'Ember Games',
  'Fjord Travel',
]
