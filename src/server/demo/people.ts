import type { IdentityName } from '#shared/access.ts'

export interface DemoPerson {
  username: string
  full_name: string
  identity: IdentityName
  /** 1 general manager … 7 finance */
  department: number | null
  /** 1 employee, 2 client */
  user_type: 1 | 2
  /** 0 basic, 1 advanced */
  plan?: 0 | 1
  position: string
  company_extension?: string
  /** As E.164. */
  mobile?: string
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
    company_extension: '601',
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
    company_extension: '101',
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
    company_extension: '212',
    mobile: '+886912345678',
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
    company_extension: '215',
    mobile: '+886923456789',
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
    company_extension: '701',
    email: 'finance@sheetcast.demo',
    advertisers: ['Ember Games'],
  },
  {
    username: 'client-a',
    full_name: 'Alice Aurora',
    identity: 'external_user',
    department: null,
    user_type: 2,
    plan: 1,
    position: 'Marketing lead',
    mobile: '+886934567890',
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

/** What the agency is called at the platforms, which its clients enter there. */
export const demoAgencyValues = {
  meta_business_id: '615200000000001',
  google_manager_id: '111-000-0001',
  google_address: 'analytics@sheetcast.demo',
  yahoo_manager_id: '1002000001',
  tiktok_business_center_id: '7300000000000000001',
}
