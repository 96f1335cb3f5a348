import type { enBusiness } from './en-business.ts'
import type { TextsLike } from './texts.ts'
import { money } from './zh-TW/money.ts'

/** The Chinese texts of customers, insertion orders and spending. */
export const zhTWBusiness: TextsLike<typeof enBusiness> = { money }
