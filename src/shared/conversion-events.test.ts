import { describe, expect, it } from 'vitest'
import type { ConversionEntry } from './api/insight-settings.ts'
import { catalogueOf } from './channels/all.ts'
import { metricIn } from './metrics.ts'
import { firstOverlap } from './conversion-events.ts'

type Channel = ConversionEntry['channel']
const action = (name: string, channel: Channel = 'fb'): ConversionEntry => ({ channel, action: name })
function metric(id: string, channel: Channel = 'fb'): ConversionEntry {
  expect(metricIn(catalogueOf(channel), id), id).toBeDefined()
  return { channel, metric: id }
}
const overlaps = (...entries: ConversionEntry[]) => firstOverlap(entries) !== null

const purchases = [
  action('omni_purchase'),
  action('purchase'),
  action('offsite_conversion.fb_pixel_purchase'),
  action('onsite_web_purchase'),
  action('onsite_web_app_purchase'),
  action('onsite_app_purchase'),
  action('onsite_conversion.purchase'),
  action('offline_conversion.purchase'),
  action('app_custom_event.fb_mobile_purchase'),
  action('web_in_store_purchase'),
  action('web_app_in_store_purchase'),
  metric('conversions'),
  metric('purchases'),
  metric('website_purchases'),
  metric('app_purchases'),
]
const others = [
  [
    action('lead'),
    action('onsite_conversion.lead_grouped'),
    action('leadgen.other'),
    metric('website_leads'),
  ],
  [action('add_to_cart'), action('omni_add_to_cart'), metric('website_add_to_cart')],
  [action('complete_registration'), action('app_custom_event.fb_mobile_complete_registration')],
  [action('initiate_checkout'), action('app_custom_event.fb_mobile_initiated_checkout')],
  [action('view_content'), action('app_custom_event.fb_mobile_content_view'), metric('view_content')],
  [action('mobile_app_install'), action('app_install'), metric('app_installs')],
]

describe('entries of a definition that count the same event', () => {
  it('are Meta’s names of one purchase, of one lead and so on', () => {
    for (const names of [purchases, ...others])
      for (const one of names)
        for (const other of names) expect(overlaps(one, other), JSON.stringify([one, other])).toBe(true)
  })

  it('are not those of different events', () => {
    const oneEach = [purchases[0], ...others.map(([first]) => first)].filter(entry => entry !== undefined)
    const custom = [action('offsite_conversion.custom.101'), action('offsite_conversion.custom.102')]
    expect(firstOverlap([...oneEach, ...custom, metric('link_clicks'), metric('inline_link_clicks')])).toBe(
      null,
    )
  })

  it('are the same entry twice, in the same channel', () => {
    expect(overlaps(metric('inline_link_clicks'), metric('inline_link_clicks'))).toBe(true)
    expect(overlaps(action('purchase', 'aw'), action('purchase', 'aw'))).toBe(true)
    expect(overlaps(action('purchase', 'aw'), action('Purchase', 'aw'))).toBe(false)
    expect(overlaps(action('purchase'), action('purchase', 'ga4'))).toBe(false)
  })

  it.each([
    ['aw', 'conversions', 'all_conversions'],
    ['yg', 'conversions', 'all_conversions'],
    ['ga4', 'conversions', 'total_events'],
  ] as const)('are all conversions of %s beside any of its actions', (channel, total, other) => {
    expect(overlaps(metric(total, channel), action('Newsletter', channel))).toBe(true)
    expect(overlaps(action('Newsletter', channel), metric(other, channel))).toBe(true)
    expect(overlaps(metric(total, channel), metric(other, channel))).toBe(true)
    expect(overlaps(metric(total, channel), metric('clicks', channel))).toBe(false)
    expect(overlaps(action('Newsletter', channel), action('Call', channel))).toBe(false)
  })

  it('are metrics of GA4 and the events that they count', () => {
    expect(overlaps(metric('purchases', 'ga4'), action('purchase', 'ga4'))).toBe(true)
    expect(overlaps(metric('transactions', 'ga4'), metric('purchases', 'ga4'))).toBe(true)
    expect(overlaps(metric('transactions', 'ga4'), metric('conversions', 'ga4'))).toBe(true)
    expect(overlaps(metric('purchases', 'ga4'), action('generate_lead', 'ga4'))).toBe(false)
  })

  it('are named by their places', () => {
    const entries = [action('lead'), metric('conversions', 'aw'), action('purchase'), metric('conversions')]
    expect(firstOverlap(entries)).toEqual({ entry: 3, with: 2 })
  })
})
