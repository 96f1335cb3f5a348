import { knownDay, seasonOf, weekdayOf } from './calendar.ts'
import { GA4_TRAFFIC, IN_DOLLARS, type Property, type Traffic } from './ga4.ts'
import { between, hashOf, mix, pick, unit } from './hash.ts'

// Visits of a web shop, one by one, each of a person: so that people are counted, not estimated. A visit is
// made by somebody new, who is known from then on by day and number of that first visit, or by somebody of
// the last 60 days.

export interface Item {
  name: string
  category: string
  quantity: number
  revenue: number
}

export interface Happening {
  name: string
  page: string
  category: string
  value: number
  items: readonly Item[]
}

export interface Visit {
  id: string
  day: number
  hour: number
  /** Who: the first visit of that person. */
  person: number
  is_new: boolean
  first: Traffic
  traffic: Traffic
  device: string
  system: string
  browser: string
  country: string
  city: string
  landing: string
  is_engaged: boolean
  seconds: number
  happenings: Happening[]
  transaction: string | null
  revenue: number
  refund: number
  shipping: number
  tax: number
  /** Only of paid visits. */
  ad: { impressions: number; clicks: number; cost: number }
  seed: number
}

/** The visits of a property's day, of today those until now. Money is in the property's currency. */
export function visitsOf(
  property: Property,
  day: number,
  { today, day_passed }: { today: number; day_passed: number },
): Visit[] {
  if (property.trait === 'empty' || day > today || day < Math.max(property.created, BEGINNING)) return []
  const base = baseOf(property)
  const count = Math.floor(countOn(property, day) * (day === today ? day_passed : 1))
  return Array.from({ length: count }, (_, number) => visitOf(property, { base, day, number }))
}

const BEGINNING = knownDay('2022-01-01')
const PER_DAY = 4096
const WEEKDAY = [1.02, 1, 0.98, 1, 1.05, 1.15, 1.12]

const baseOf = (property: Property) => hashOf(`visits ${property.property_id}`)

function countOn(property: Property, day: number): number {
  const season = 1 + 0.25 * Math.sin(2 * Math.PI * (seasonOf(day) - 0.2))
  const noise = between(mix(baseOf(property), day), 0.85, 1.15)
  return Math.floor(property.daily * (WEEKDAY[weekdayOf(day)] ?? 1) * season * noise)
}

const startsAnew = (seed: number) => unit(mix(seed, 1)) < 0.55
const seedOf = (base: number, day: number, number: number) => mix(mix(base, day), number + 1)

/** Who comes back: a first visit of an earlier day or, seldom, an earlier one of the same day. */
function personOf(property: Property, { base, day, number }: Position): { day: number; number: number } {
  const seed = seedOf(base, day, number)
  for (let attempt = 0; attempt < 12; attempt++) {
    const back = Math.floor(60 * unit(mix(seed, 20 + attempt)) ** 2)
    const earlier = Math.max(day - back, property.created, BEGINNING)
    const below = earlier === day ? number : countOn(property, earlier)
    const chosen = Math.floor(below * unit(mix(seed, 40 + attempt)))
    if (chosen < below && startsAnew(seedOf(base, earlier, chosen))) return { day: earlier, number: chosen }
  }
  return { day, number }
}

interface Position {
  base: number
  day: number
  number: number
}

function visitOf(property: Property, position: Position): Visit {
  const { base, day, number } = position
  const seed = seedOf(base, day, number)
  const who = startsAnew(seed) ? { day, number } : personOf(property, position)
  const is_new = who.day === day && who.number === number
  const personSeed = seedOf(base, who.day, who.number)
  const first = trafficOf(personSeed)
  const traffic = is_new ? first : trafficOf(seed)
  const placeOf = pick(mix(personSeed, 5), PLACES)
  const machine = pick(mix(personSeed, 6), MACHINES)
  const is_engaged = unit(mix(seed, 7)) < 0.58
  const money = IN_DOLLARS[property.currency]
  const bought = is_engaged && unit(mix(seed, 8)) < 0.06
  const happenings = happeningsOf(seed, { is_new, is_engaged, bought, money })
  const revenue = happenings.find(({ name }) => name === 'purchase')?.value ?? 0
  const refund = bought && unit(mix(seed, 9)) < 0.05 ? revenue : 0
  const isPaid = traffic.source === 'google' && traffic.medium === 'cpc'
  const clicks = isPaid ? 1 + ((seed >>> 9) & 1) : 0
  return {
    id: `${day}.${number}`,
    day,
    hour: Math.floor(24 * unit(mix(seed, 10)) ** 0.8),
    person: who.day * PER_DAY + who.number,
    is_new,
    first,
    traffic,
    ...machine,
    ...placeOf,
    landing: happenings[0]?.page ?? '/',
    is_engaged,
    seconds: is_engaged ? 10 + Math.floor(between(mix(seed, 11), 0, 400)) : (seed >>> 6) % 10,
    happenings,
    transaction: bought ? `T${day}-${number}` : null,
    revenue,
    refund,
    shipping: bought ? 2 * money : 0,
    tax: bought ? Math.floor(revenue * 5) / 100 : 0,
    ad: {
      impressions: clicks * (12 + ((seed >>> 4) % 30)),
      clicks,
      cost: (clicks * money * (20 + ((seed >>> 3) % 60))) / 100,
    },
    seed,
  }
}

function trafficOf(seed: number): Traffic {
  let left = unit(mix(seed, 4)) * TOTAL
  for (const traffic of GA4_TRAFFIC) {
    left -= traffic.share
    if (left < 0) return traffic
  }
  return GA4_TRAFFIC[0] ?? NOBODY
}

const TOTAL = GA4_TRAFFIC.reduce((sum, { share }) => sum + share, 0)
const NOBODY: Traffic = {
  source: '(direct)',
  medium: '(none)',
  campaign: '',
  term: '',
  content: '',
  channel: '',
  share: 0,
}

const PAGES = [
  '/',
  '/sale?x=1',
  '/products/口紅',
  '/products/tent',
  '/about',
  '/blog/100%25_"quoted"',
] as const
interface Ware {
  name: string
  category: string
  price: number
}

const ITEMS: readonly [Ware, ...Ware[]] = [
  { name: 'Lipstick "Rouge"', category: 'Beauty', price: 18 },
  { name: '帳篷 2P', category: 'Outdoor', price: 120 },
  { name: '=Drip bag', category: 'Coffee', price: 9 },
  { name: 'Yoga mat', category: 'Fitness', price: 35 },
]

function happeningsOf(
  seed: number,
  {
    is_new,
    is_engaged,
    bought,
    money,
  }: { is_new: boolean; is_engaged: boolean; bought: boolean; money: number },
): Happening[] {
  const found: Happening[] = []
  const page = (at: number) => pick(mix(seed, 60 + at), PAGES)
  const add = (name: string, more: Partial<Happening> = {}) =>
    found.push({ name, page: page(0), category: '(not set)', value: 0, items: [], ...more })
  const chosen = pick(mix(seed, 70), ITEMS)
  const quantity = 1 + ((seed >>> 11) % 3)
  const items = [{ name: chosen.name, category: chosen.category, quantity, revenue: 0 }]
  add('session_start')
  if (is_new) add('first_visit')
  const pages = 1 + Math.floor((is_engaged ? 5 : 1.3) * unit(mix(seed, 12)))
  for (let at = 0; at < pages; at++) add('page_view', { page: page(at) })
  if (is_engaged && unit(mix(seed, 13)) < 0.5) add('scroll', { category: 'engagement' })
  if (unit(mix(seed, 14)) < 0.12) add('video_start', { category: 'Video', value: 1 })
  if (is_engaged && unit(mix(seed, 15)) < 0.4) add('view_item', { items })
  if (bought || unit(mix(seed, 16)) < 0.08) add('add_to_cart', { items, category: '購物車' })
  if (bought || unit(mix(seed, 17)) < 0.03) add('begin_checkout', { items, category: 'ecommerce' })
  if (unit(mix(seed, 18)) < 0.02) add('generate_lead', { category: 'Form', value: 5 })
  if (bought) {
    const revenue = chosen.price * quantity * money
    const value = revenue + 2 * money
    add('purchase', { category: 'ecommerce', value, items: items.map(item => ({ ...item, revenue })) })
  }
  return found
}

interface Machine {
  device: string
  system: string
  browser: string
}

const MACHINES: readonly [Machine, ...Machine[]] = [
  { device: 'mobile', system: 'iOS', browser: 'Safari' },
  { device: 'mobile', system: 'Android', browser: 'Chrome' },
  { device: 'mobile', system: 'Android', browser: 'Samsung Internet' },
  { device: 'desktop', system: 'Windows', browser: 'Edge' },
  { device: 'desktop', system: 'Macintosh', browser: 'Safari' },
  { device: 'tablet', system: 'iPadOS', browser: 'Safari' },
  { device: 'smart tv', system: '(not set)', browser: 'Chrome' },
]

interface Home {
  country: string
  city: string
}

const PLACES: readonly [Home, ...Home[]] = [
  { country: 'Taiwan', city: 'Taipei City' },
  { country: 'Taiwan', city: 'Kaohsiung City' },
  { country: 'Japan', city: 'Tokyo' },
  { country: 'Japan', city: '(not set)' },
  { country: 'United States', city: 'Los Angeles' },
]
