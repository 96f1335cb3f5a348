import type { Account } from '#sandbox/dataset/agency.ts'

/** The number of the account is a part of it. */
export const audienceId = (account: Account, index: number) =>
  `23850${String(account.number).padStart(3, '0')}${String(index).padStart(9, '0')}`
