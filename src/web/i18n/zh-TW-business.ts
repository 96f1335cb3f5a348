import { audit } from './zh-TW/audit.ts'
import { targetAudiences } from './zh-TW/target-audiences.ts'
import { links } from './zh-TW/links.ts'
import { sites } from './zh-TW/sites.ts'
import { publishers } from './zh-TW/publishers.ts'
import { materials } from './zh-TW/materials.ts'
import { images } from './zh-TW/images.ts'
import { files } from './zh-TW/files.ts'
import type { enBusiness } from './en-business.ts'
import type { TextsLike } from './texts.ts'
import { advertisers } from './zh-TW/advertisers.ts'
import { agents } from './zh-TW/agents.ts'
import { audiences } from './zh-TW/audiences.ts'
import { businesses } from './zh-TW/businesses.ts'
import { connections } from './zh-TW/connections.ts'
import { customers } from './zh-TW/customers.ts'
import { fees } from './zh-TW/fees.ts'
import { imports } from './zh-TW/imports.ts'
import { industries } from './zh-TW/industries.ts'
import { issuer } from './zh-TW/issuer.ts'
import { closing } from './zh-TW/closing.ts'
import { spending } from './zh-TW/spending.ts'
import { conversions } from './zh-TW/conversions.ts'
import { insight } from './zh-TW/insight.ts'
import { labels } from './zh-TW/labels.ts'
import { rates } from './zh-TW/rates.ts'
import { money } from './zh-TW/money.ts'
import { orders } from './zh-TW/orders.ts'
import { payments } from './zh-TW/payments.ts'
import { quotation } from './zh-TW/quotation.ts'

/**
 * The Chinese texts of customers, insertion orders and spending; a missing or a superfluous key does not
 * compile.
 */
export const zhTWBusiness: TextsLike<typeof enBusiness> = {
  advertisers,
  agents,
  audit,
  audiences,
  businesses,
  connections,
  customers,
  fees,
  imports,
  industries,
  issuer,
  closing,
  spending,
  insight,
  conversions,
  labels,
  rates,
  money,
  orders,
  payments,
  quotation,
  target_audiences: targetAudiences,
  links,
  sites,
  publishers,
  materials,
  images,
  files,
}
