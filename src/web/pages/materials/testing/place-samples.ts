import type { Publisher, Site } from '#shared/api/materials.ts'

const at = '2026-11-01T08:00:00.000Z'
const row = { version: 1, created_at: at, last_modified_at: at }
const made = { created_by: 7, created_by_name: 'Sam Huang', may_delete: true }

export const shop: Site = {
  ...row,
  ...made,
  id: 3,
  name: 'Aurora shop',
  url: 'https://shop.aurora.demo/',
  advertiser: 1,
  advertiser_name: 'Aurora',
  platform: 'shopline',
  pixels: [{ platform: 'meta', id: '3390001' }],
  is_active: true,
}

export const daily: Publisher = {
  ...row,
  ...made,
  id: 4,
  name: 'Island Daily',
  type: 'news',
  channel: null,
  website: 'https://daily.example.com/',
  contacts: [{ name: 'Amy Lin', title: '', phone: '', email: 'amy@example.com', is_billing: true }],
  note: '',
}
