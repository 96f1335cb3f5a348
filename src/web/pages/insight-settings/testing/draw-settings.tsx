import type { IdentityName } from '#shared/access.ts'
import { aurora } from '#web/pages/customers/testing/samples.ts'
import { InsightSettings } from '#web/pages/insight-settings/insight-settings.tsx'
import { drawAt } from '#web/testing/draw-for.tsx'
import { changesIn, listOf, serve } from '#web/testing/fake-server.ts'
import { ratesOf } from './samples.ts'

interface DrawnSettings {
  search?: object
  answers?: Readonly<Record<string, unknown>>
  identity?: IdentityName
  department?: number | null
}

/** Draws the page, for a manager unless said otherwise; nothing is set yet unless `answers` say so. */
export function drawSettings({ search, answers, identity = 'manager', department = 2 }: DrawnSettings = {}) {
  const calls = serve({
    'GET /api/insight-setting/metrics/': listOf([]),
    'GET /api/insight-setting/conversions/': listOf([]),
    'GET /api/insight-setting/labels/': listOf([]),
    'GET /api/insight-setting/rates/': ratesOf([]),
    'GET /api/advertiser/': listOf([aurora]),
    'GET /api/advertiser/1/': aurora,
    'GET /api/ad/account/': listOf([]),
    ...answers,
  })
  const went = drawAt(
    <InsightSettings />,
    { path: '/insight-setting', search: { search: '', page: 1, ...search } },
    { identity, department },
  )
  return {
    calls,
    went,
    changes: () => changesIn(calls).map(({ method, path, body }) => [method, path, body]),
  }
}
