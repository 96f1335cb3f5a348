import type { ConversionEntry } from './api/insight-settings.ts'
import { catalogueOf } from './channels/all.ts'
import { metricIn } from './metrics.ts'

/** The first entry of a definition that counts what an earlier one of its channel counts; null: none. */
export function firstOverlap(entries: readonly ConversionEntry[]): { entry: number; with: number } | null {
  for (const [at, entry] of entries.entries()) {
    const earlier = entries.slice(0, at).findIndex(other => overlap(entry, other))
    if (earlier >= 0) return { entry: at, with: earlier }
  }
  return null
}

function overlap(one: ConversionEntry, other: ConversionEntry): boolean {
  if (one.channel !== other.channel) return false
  const [counted, beside] = [countedBy(one), countedBy(other)]
  if (counted.kind === 'field' || beside.kind === 'field')
    return counted.kind === beside.kind && counted.name === beside.name
  return counted.kind === 'every' || beside.kind === 'every' || counted.name === beside.name
}

/** every: all conversions of the account, whatever its actions; field: what is no action at all. */
interface Counted {
  kind: 'every' | 'event' | 'field'
  name: string
}

function countedBy(entry: ConversionEntry): Counted {
  const { channel } = entry
  if ('action' in entry)
    return { kind: 'event', name: channel === 'fb' ? metaEvent(entry.action) : entry.action }
  const field = metricIn(catalogueOf(channel), entry.metric)?.platform_field ?? entry.metric
  const action = /^actions:(.+)$/.exec(field)?.[1]
  if (channel === 'fb' && action !== undefined) return { kind: 'event', name: metaEvent(action) }
  if (channel === 'ga4' && Object.hasOwn(eventMetrics, entry.metric))
    return { kind: 'event', name: eventMetrics[entry.metric] ?? '' }
  return { kind: totals[channel].includes(entry.metric) ? 'every' : 'field', name: field }
}

/** Metrics that count every action of an account, or those of some clicks and devices. */
const totals: Record<ConversionEntry['channel'], readonly string[]> = {
  fb: [],
  aw: [
    'conversions',
    'all_conversions',
    'cross_device_conversions',
    'conversions_by_conv_date',
    'platform_comparable_conversions',
    'orders',
  ],
  yg: ['conversions', 'all_conversions', 'cross_device_conversions', 'click_conversions'],
  ga4: ['conversions', 'total_events'],
}

/** The event that a metric of GA4 counts. */
const eventMetrics: Readonly<Record<string, string>> = {
  transactions: 'purchase',
  purchases: 'purchase',
  add_to_carts: 'add_to_cart',
  checkouts: 'begin_checkout',
}

/**
 * What happened, without where Meta has counted it: one purchase appears as purchase, as omni_purchase and
 * as offsite_conversion.fb_pixel_purchase at once.
 */
function metaEvent(action: string): string {
  const event = action.toLowerCase().replace(PLACE, '')
  return Object.hasOwn(otherNames, event) ? (otherNames[event] ?? event) : event
}

const PLACE =
  /^(?:omni_|offsite_conversion\.fb_pixel_|(?:onsite|offline)_conversion\.|app_custom_event\.fb_mobile_|onsite_(?:web_app|web|app)_|web_(?:app_)?in_store_|mobile_)/

/** The same event has another name in apps, on Meta, or in the older lists. */
const otherNames: Readonly<Record<string, string>> = {
  initiated_checkout: 'initiate_checkout',
  content_view: 'view_content',
  lead_grouped: 'lead',
  leadgen_grouped: 'lead',
  'leadgen.other': 'lead',
  offsite_complete_registration_add_meta_leads: 'complete_registration',
  spent_credits: 'spend_credits',
}
