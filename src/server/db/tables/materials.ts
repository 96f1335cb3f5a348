import type { Generated } from 'kysely'
import type { CustomerContact } from '#shared/api/customers.ts'
import type { Channel } from '#shared/channels/catalogue.ts'
import type { ImageType } from '#shared/images.ts'
import type { ImageFormat } from '#shared/materials/image-formats.ts'
import type { PublisherType } from '#shared/materials/publishers.ts'
import type { SitePlatform } from '#shared/materials/sites.ts'
import type { GeneratedJson } from './json.ts'
import type { Made } from './made.ts'

export interface SiteTable extends Made {
  advertiser: number
  name: string
  url: string
  platform: Generated<SitePlatform>
  pixels: GeneratedJson<{ platform: string; id: string }[]>
  is_active: Generated<boolean>
}

export interface PublisherTable extends Made {
  name: string
  type: PublisherType
  channel: Channel | null
  website: Generated<string>
  contacts: GeneratedJson<CustomerContact[]>
  note: Generated<string>
}

export interface BlobTable {
  sha256: string
  size: number | null
  claimed_at: Generated<Date>
  unused_since: Date | null
  missing_since: Date | null
}

interface Uploaded extends Omit<Made, 'created_by'> {
  advertiser: Generated<number | null>
  name: string
  tags: Generated<string[]>
  size: number
  sha256: string
  uploaded_by: number | null
}

export interface ImageTable extends Uploaded {
  mime: ImageType
  source_sha256: string
  width: number
  height: number
  is_animated: Generated<boolean>
  formats: Generated<ImageFormat[]>
  preview_320: string
  preview_1280: string
}

export interface FileTable extends Uploaded {
  mime: string
}

export interface UploadCountTable {
  user_id: number
  /** yyyy-MM-dd of UTC. */
  day: string
  count: number
}
