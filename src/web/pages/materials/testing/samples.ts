import type { File as StoredFile, Image } from '#shared/api/materials.ts'

const AT = '2026-11-20T01:00:00.000Z'

const material = {
  version: 2,
  created_at: AT,
  last_modified_at: AT,
  advertiser: 1,
  advertiser_name: 'Aurora',
  tags: ['autumn'],
  sha256: 'a'.repeat(64),
  in_use: 0,
  uploaded_by: 7,
  uploaded_by_name: 'Sam Huang',
  may_delete: true,
}

/** A LINE card whose height is one pixel short. */
export const imageOf = (facts: Partial<Image> = {}): Image => ({
  ...material,
  id: 5,
  name: 'banner.png',
  mime: 'image/png',
  size: 350_000,
  url: '/api/image/5/content/?signature=a',
  width: 1200,
  height: 627,
  is_animated: false,
  formats: ['google_landscape'],
  previews: {
    320: '/api/image/5/content/?size=320&signature=a',
    1280: '/api/image/5/content/?size=1280&signature=a',
  },
  ...facts,
})

export const storedFileOf = (facts: Partial<StoredFile> = {}): StoredFile => ({
  ...material,
  id: 6,
  name: 'brief.pdf',
  mime: 'application/pdf',
  size: 2_500_000,
  url: '/api/file/6/content/?signature=a',
  ...facts,
})

const png = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0]

/** What a browser and `imageTypeOf` take for a picture. */
export const pngOf = (name: string) => new File([new Uint8Array(png)], name, { type: 'image/png' })
