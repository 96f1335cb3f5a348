import type { Rule } from './metrics.ts'

// What only LINE counts. `ev_…`: those that follow from having watched or engaged without a click; LINE
// reports them in the columns "(ALL)".

export const LINE_METRICS = [
  'server_conversions',
  'ev_conversions',
  'ev_view_content',
  'ev_add_to_cart',
  'ev_checkouts',
  'ev_purchases',
  'ev_purchase_value',
  'click_purchase_value',
  'ev_leads',
  'reservations',
  'ev_reservations',
  'ev_registrations',
  'view_installs',
  'ev_installs',
  'skan_installs',
  'app_opens',
  'app_home_views',
  'app_category_views',
  'app_item_views',
  'app_searches',
  'app_cart_adds',
  'app_levels',
  'app_tutorials',
  'custom_downloads',
] as const

export const LINE_RULES: Record<(typeof LINE_METRICS)[number], Rule> = {
  server_conversions: { of: 'impressions', rate: 0.00008, late: true },
  ev_conversions: { of: 'impressions', rate: 0.00006, late: true },
  ev_view_content: { of: 'view_content', rate: 0.09, late: true },
  ev_add_to_cart: { of: 'add_to_cart', rate: 0.08, late: true },
  ev_checkouts: { of: 'initiate_checkout', rate: 0.07, late: true },
  ev_purchases: { of: 'web_purchases', rate: 0.12, late: true },
  ev_purchase_value: { of: 'ev_purchases', rate: 39, late: true, money: true },
  click_purchase_value: { of: 'web_purchases', rate: 41, late: true, money: true },
  ev_leads: { of: 'web_leads', rate: 0.1, late: true },
  reservations: { of: 'landing_page_views', rate: 0.012, late: true },
  ev_reservations: { of: 'reservations', rate: 0.11, late: true },
  ev_registrations: { of: 'complete_registration', rate: 0.1, late: true },
  view_installs: { of: 'impressions', rate: 0, by_objective: { app: 0.0004 }, late: true },
  ev_installs: { of: 'impressions', rate: 0, by_objective: { app: 0.0002 }, late: true },
  skan_installs: { of: 'link_clicks', rate: 0, by_objective: { app: 0.04 }, late: true },
  // Of clicks: more than one for each install would be booked before the install is, and be lost when it is
  // cut.
  app_opens: { of: 'link_clicks', rate: 0, by_objective: { app: 0.45 }, late: true },
  app_home_views: { of: 'app_opens', rate: 0.8, late: true },
  app_category_views: { of: 'app_opens', rate: 0.5, late: true },
  app_item_views: { of: 'app_opens', rate: 0.6, late: true },
  app_searches: { of: 'app_opens', rate: 0.3, late: true },
  app_cart_adds: { of: 'app_item_views', rate: 0.2, late: true },
  app_levels: { of: 'app_opens', rate: 0.4, late: true },
  app_tutorials: { of: 'app_installs', rate: 0.55, late: true },
  custom_downloads: { of: 'landing_page_views', rate: 0, by_objective: { leads: 0.03 }, late: true },
}
