import type { CreateSite, Site } from '#shared/api/materials.ts'
import { pixelPlatforms, type SitePlatform } from '#shared/materials/sites.ts'
import { completed, isWebAddress } from '#web/ui/web-address-field.tsx'

export type PixelPlatform = (typeof pixelPlatforms)[number]

export interface PixelDraft {
  platform: PixelPlatform
  id: string
}

/** A site while it is being edited: its address may be none yet, and pixels may be begun. */
export interface SiteDraft {
  advertiser: number | null
  name: string
  url: string
  platform: SitePlatform
  pixels: readonly PixelDraft[]
  is_active: boolean
}

export const MOST_PIXELS = 10

export const emptySite = (advertiser: number | null): SiteDraft => ({
  advertiser,
  name: '',
  url: '',
  platform: 'other',
  pixels: [],
  is_active: true,
})

export const siteDraft = ({ advertiser, name, url, platform, pixels, is_active }: Site): SiteDraft => ({
  advertiser,
  name,
  url,
  platform,
  pixels: pixels.flatMap(({ platform: of, id }) => (isPixelPlatform(of) ? [{ platform: of, id }] : [])),
  is_active,
})

const isPixelPlatform = (name: string): name is PixelPlatform =>
  pixelPlatforms.some(platform => platform === name)

/** What is sent; null: something in the draft cannot be. */
export function siteBody(draft: SiteDraft): Required<Omit<CreateSite, 'advertiser'>> | null {
  const name = draft.name.trim()
  const url = completed(draft.url)
  const faults = draft.pixels.some((_, index) => pixelFault(draft.pixels, index) !== null)
  if (name === '' || !isWebAddress(url) || faults) return null
  const { platform, is_active } = draft
  return { name, url, platform, is_active, pixels: filledIn(draft.pixels) }
}

/** Those that were begun and left empty are not sent. */
const filledIn = (pixels: readonly PixelDraft[]) =>
  pixels.map(({ platform, id }) => ({ platform, id: id.trim() })).filter(({ id }) => id !== '')

/** Why a pixel cannot be saved; null: it can, or there is nothing in it. */
export function pixelFault(pixels: readonly PixelDraft[], index: number): 'format' | 'twice' | null {
  const pixel = pixels[index]
  const id = pixel?.id.trim() ?? ''
  if (id === '') return null
  if (!/^[\w-]{1,64}$/.test(id)) return 'format'
  const same = pixels.findIndex(
    other => other.platform === pixel?.platform && other.id.trim().toLowerCase() === id.toLowerCase(),
  )
  return same < index ? 'twice' : null
}
