import { describe, expect, it } from 'vitest'
import { ga4Channels } from './channels.ts'
import { ga4ChannelOf } from './ga4-channel.ts'
import { sourceCategoryOf } from './ga4-sources.ts'

const cases = [
  ['', '', '', 'Direct'],
  ['(direct)', '(none)', 'x', 'Direct'],
  ['google', 'cpc', 'Cross-Network autumn', 'Cross-network'],
  ['amazon', 'cpc', 'x', 'Paid Shopping'],
  ['google', 'cpc', 'autumn shopping', 'Paid Shopping'],
  ['google', 'ppc', 'e-shop', 'Paid Shopping'],
  ['google', 'cpc', 'workshop', 'Paid Search'],
  ['google', 'cpc', 'autumn_2026', 'Paid Search'],
  ['Yahoo.co.jp', 'CPC', 'x', 'Paid Search'],
  ['facebook', 'paid_social', 'autumn_2026', 'Paid Social'],
  ['line', 'paid_social', 'x', 'Paid Social'],
  ['tiktok', 'retargeting', 'x', 'Paid Social'],
  ['youtube', 'description', 'x', 'Organic Video'],
  ['youtube', 'paid', 'x', 'Paid Video'],
  ['line', 'display', 'x', 'Display'],
  ['google', 'cpm', 'x', 'Paid Search'],
  ['somewhere', 'cpm', 'x', 'Display'],
  ['somewhere', 'banner', 'x', 'Display'],
  ['somewhere', 'cpc', 'x', 'Paid Other'],
  ['somewhere', 'paid', 'x', 'Paid Other'],
  ['amazon.com', 'listing', 'x', 'Organic Shopping'],
  ['somewhere', 'social', 'x', 'Organic Social'],
  ['instagram', 'bio', 'x', 'Organic Social'],
  ['somewhere', 'video', 'x', 'Organic Video'],
  ['somewhere', 'organic', 'x', 'Organic Search'],
  ['google', 'listing', 'x', 'Organic Search'],
  ['newsletter', 'email', 'x', 'Email'],
  ['e-mail', 'x', 'x', 'Email'],
  ['partner', 'affiliate', 'x', 'Affiliates'],
  ['partner', 'referral', 'x', 'Referral'],
  ['podcast', 'audio', 'x', 'Audio'],
  ['sms', 'x', 'x', 'SMS'],
  ['app', 'web-push', 'x', 'Mobile Push Notifications'],
  ['firebase', 'x', 'x', 'Mobile Push Notifications'],
  ['print', 'qr', 'x', 'Unassigned'],
  ['somewhere', 'affiliates', 'x', 'Unassigned'],
] as const

describe('the channel of GA4', () => {
  it.each(cases)('of %j and %j, campaign %j, is %s', (source, medium, campaign, channel) => {
    expect(ga4ChannelOf({ source, medium, campaign })).toBe(channel)
  })

  it('is each of them for some link', () => {
    expect(new Set(cases.map(([, , , channel]) => channel))).toEqual(new Set(ga4Channels))
  })
})

describe('the categories of sources', () => {
  it.each([
    ['facebook', 'social'],
    ['facebook.com', 'social'],
    ['Google Shopping', 'shopping'],
    ['youtube.com', 'video'],
    ['tw.search.yahoo.com', 'search'],
    ['medium', null],
    ['constructor', null],
    ['', null],
  ])('has %j as %j', (source, category) => {
    expect(sourceCategoryOf(source)).toBe(category)
  })
})
