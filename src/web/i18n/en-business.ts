import { audit } from './en/audit.ts'
import { targetAudiences } from './en/target-audiences.ts'
import { links } from './en/links.ts'
import { sites } from './en/sites.ts'
import { publishers } from './en/publishers.ts'
import { materials } from './en/materials.ts'
import { images } from './en/images.ts'
import { files } from './en/files.ts'
import { advertisers } from './en/advertisers.ts'
import { agents } from './en/agents.ts'
import { audiences } from './en/audiences.ts'
import { businesses } from './en/businesses.ts'
import { connections } from './en/connections.ts'
import { customers } from './en/customers.ts'
import { fees } from './en/fees.ts'
import { imports } from './en/imports.ts'
import { industries } from './en/industries.ts'
import { issuer } from './en/issuer.ts'
import { closing } from './en/closing.ts'
import { spending } from './en/spending.ts'
import { conversions } from './en/conversions.ts'
import { insight } from './en/insight.ts'
import { labels } from './en/labels.ts'
import { rates } from './en/rates.ts'
import { money } from './en/money.ts'
import { orders } from './en/orders.ts'
import { payments } from './en/payments.ts'
import { quotation } from './en/quotation.ts'

/** The English texts of customers, insertion orders and spending: only who opens these pages loads them. */
export const enBusiness = {
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
} as const
