// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { describe, expect, it } from 'vitest'
import { identities, levelOf, mayReach, type Reach } from '#shared/access.ts'
import type { IdentityReply } from '#shared/api/people.ts'
import { isUnder, menuOf } from './menu.ts'
import { createAppRouter } from './routes.tsx'

/**
 * Every address that the requirements name, with the least level of their table: it is a page of its own,
 * open from that level on, and the sidebar leads there for exactly those people.
 */
const pages: [path: string, least: Reach][] = [
  ['/gs-template', 'external_user'],
  ['/gs-template/setting', 'external_user'],
  ['/gs-template/template', 'external_user'],
  ['/ec-spend', 'director_or_finance'],
  ['/insight-setting', 'staff'],
  ['/lta-audience/audience-list', 'external_user'],
  ['/customer/industry', 'staff'],
  ['/customer/advertiser', 'staff'],
  ['/customer/insertion-order', 'staff'],
  ['/advertisement/target-audience', 'staff'],
  ['/advertisement/create-link', 'staff'],
  ['/material/site', 'staff'],
  ['/material/media', 'staff'],
  ['/material/image', 'staff'],
  ['/material/file', 'staff'],
  ['/setting/users', 'external_user'],
  ['/setting/public-account', 'superuser'],
  ['/setting/instructions', 'staff'],
  ['/support', 'staff'],
  ['/bm-management', 'external_user'],
]
/** Opened from elsewhere. */
const hidden = ['/customer/insertion-order']
/** Keepers of a login come from a notice; to others of the agency the page shows nothing. */
const opensFrom: Record<string, Reach> = { '/setting/public-account': 'staff' }

const router = createAppRouter(new QueryClient())

/** Of the page and of everything that it is in. */
function reachesOf(path: string): Reach[] {
  const [matchedRoutes, , foundRoute] = router.getMatchedRoutes(path)
  expect(foundRoute?.fullPath.replace(/(.)\/$/, '$1')).toBe(path)
  return matchedRoutes.flatMap(({ options }) => options.staticData?.reach ?? [])
}

const people = identities.flatMap(identity =>
  [null, 7].map(department => ({ identity, department, name: `${identity} of department ${department}` })),
)
const meAs = (
  { identity, department }: (typeof people)[number],
  availableBM: Record<string, string> = { 1: 'Agency' },
): IdentityReply => ({
  user_id: 1,
  username: 'me',
  full_name: 'Me',
  identity,
  level: levelOf(identity),
  department,
  user_type: identity === 'external_user' ? 2 : 1,
  language: 'en',
  theme: 'auto',
  second_factor_setup_required: false,
  has_mailbox: false,
  has_link_checks: false,
  time_zone: 'Asia/Taipei',
  spreadsheet_creation: 'available',
  availableBM,
  specialists: [],
})
const linksFor = (me: IdentityReply) => menuOf(me).flatMap(({ items }) => items.map(({ to }) => to))
const leadsTo = (me: IdentityReply, path: string) => linksFor(me).some(to => isUnder(path, to))

describe.each(pages)('%s', (path, least) => {
  it(`is a page that opens from ${opensFrom[path] ?? least} on`, () => {
    const reaches = reachesOf(path)
    for (const person of people)
      expect([person.name, reaches.every(reach => mayReach(person, reach))]).toEqual([
        person.name,
        mayReach(person, opensFrom[path] ?? least),
      ])
  })

  it('is in the sidebar for exactly those', () => {
    for (const person of people)
      expect([person.name, leadsTo(meAs(person), path)]).toEqual([
        person.name,
        mayReach(person, least) && !hidden.includes(path),
      ])
  })
})

describe('the sidebar', () => {
  it('has business managers for those who have one', () => {
    for (const person of people) expect(leadsTo(meAs(person, {}), '/bm-management')).toBe(false)
  })

  it('opens the instructions in a tab of their own', () => {
    const opened = people.flatMap(person => menuOf(meAs(person)).flatMap(({ items }) => [...items]))
    const inTabs = opened.filter(item => 'new_tab' in item).map(({ to }) => to)
    expect([...new Set(inTabs)]).toEqual(['/setting/instructions'])
  })

  it('leads to nothing that its reader may not open', () => {
    for (const person of people)
      for (const to of linksFor(meAs(person)))
        expect([person.name, to, reachesOf(to).every(reach => mayReach(person, reach))]).toEqual([
          person.name,
          to,
          true,
        ])
  })
})

it.each(['/', '/expired', '/sign-in'])('%s is a page of its own', path => {
  expect(reachesOf(path)).toEqual([])
})
