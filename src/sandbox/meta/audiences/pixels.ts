import { type Account, ADVERTISERS } from '#sandbox/dataset/agency.ts'
import { listPage } from '#sandbox/meta/accounts.ts'
import { parseFields, project } from '#sandbox/meta/fields.ts'
import type { GraphRequest } from '#sandbox/meta/graph.ts'
import type { Page } from '#sandbox/meta/paging.ts'

export interface Pixel {
  id: string
  name: string
  fires: boolean
}

/**
 * The pixel of the advertiser's shop, the same in all of its accounts; Fjord's has never sent anything, and
 * the empty account has none.
 */
export function pixelsOf({ advertiser, traits }: Account): Pixel[] {
  if (traits.includes('empty')) return []
  const id = String(339_000_000_000_001 + ADVERTISERS.indexOf(advertiser))
  return [{ id, name: `${advertiser} shop`, fires: advertiser !== 'Fjord Travel' }]
}

/** GET /act_X/adspixels */
export function pixelList(request: GraphRequest, account: Account): Page {
  const fields = parseFields(request.parameters.text('fields'), 'id')
  const lastFired = new Date(request.now - 60_000).toISOString().replace(/\.\d+Z$/, '+0000')
  const nodes = pixelsOf(account).map(({ id, name, fires }) => ({
    id,
    name,
    last_fired_time: fires ? lastFired : undefined,
  }))
  return listPage(
    request,
    nodes.map(node => project(node, fields, 'AdsPixel')),
  )
}
