import { money } from './en/money.ts'

/** The English texts of customers, insertion orders and spending: only who opens these pages loads them. */
export const enBusiness = { money } as const
