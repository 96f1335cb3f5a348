import { sql } from 'kysely'
import { z } from 'zod'
import { isForOthers, PUBLISHED_DEMO_PASSWORD, type Config } from '#server/config.ts'
import type { Db } from '#server/db/connect.ts'
import { maySignIn } from '#server/http/session.ts'
import { isPassword } from '#server/resources/session/passwords.ts'
import { whyNotPassword } from '#server/resources/session/rules.ts'
import { StartProblem } from '#server/start-problem.ts'
import { demoPeople } from './people.ts'

type DemoConfig = Pick<Config, 'sandbox' | 'roles' | 'host' | 'public_url' | 'demo_password'>

/** A demo that others can reach with the password of the documentation is an unprotected product. */
export async function refuseSharedPassword(config: DemoConfig): Promise<void> {
  if (!isDemoForOthers(config)) return
  const { commonPasswords } = await import('#server/resources/session/common-passwords.ts')
  const whyNot = whyNotPassword(config.demo_password, { common: commonPasswords, names: [] })
  if (config.demo_password === PUBLISHED_DEMO_PASSWORD || whyNot)
    throw new StartProblem(
      `the demo would be open to others (${whyForOthers(config)}) with a password that everybody knows or can guess: set DEMO_PASSWORD to one of 12 characters or more, or keep the demo on this machine with HOST=127.0.0.1 and without PUBLIC_URL`,
    )
}

/**
 * Outside of the demo no account that it made may sign in, since its password is published; and where others
 * reach the demo, no account with that password. A demo that has become the real product is the likeliest
 * origin of such an account.
 */
export async function refuseDemoPeople(db: Db, config: DemoConfig): Promise<void> {
  const passwords = [PUBLISHED_DEMO_PASSWORD, config.demo_password]
  if (!config.sandbox) {
    const open = (await findDemoPeople(db, passwords)).filter(person => person.may_sign_in)
    if (open.length > 0)
      throw new StartProblem(
        `people of the demo can still sign in here (${namesOf(open)}), whose password is published: close their accounts with "sheetcast close-demo", or keep using the demo with SANDBOX=1`,
      )
  }
  if (isDemoForOthers(config)) {
    const open = (await findDemoPeople(db, passwords)).filter(person => person.may_sign_in)
    const published = await withPassword(open, [PUBLISHED_DEMO_PASSWORD])
    if (published.length > 0)
      throw new StartProblem(
        `the demo would be open to others (${whyForOthers(config)}), and people of it still have the published password (${namesOf(published)}): start with an empty DATA_DIR or DATABASE_URL, or give them other passwords`,
      )
  }
}

/**
 * What the sign-in page shows to everybody; people who are invited to a demo from elsewhere have got the
 * password with the invitation.
 */
export const visibleDemoPassword = (config: Omit<DemoConfig, 'roles'>): string | null =>
  config.sandbox && !isForOthers(config) ? config.demo_password : null

const isDemoForOthers = (config: DemoConfig) =>
  config.sandbox && config.roles.includes('api') && isForOthers(config)

const whyForOthers = ({ host, public_url }: DemoConfig) =>
  isForOthers({ host, public_url: 'http://localhost' }) ? `HOST ${host}` : `PUBLIC_URL ${public_url}`

const namesOf = (people: readonly { username: string }[]) => people.map(({ username }) => username).join(', ')

const MARK = 'demo_people'
const Marked = z.array(z.number())

/** Records the accounts that the demo made, whatever becomes of their names and passwords. */
export async function markDemoPeople(db: Db, ids: readonly number[]): Promise<void> {
  await db
    .insertInto('setting')
    .values({ name: MARK, value: Buffer.from(JSON.stringify(ids)) })
    .execute()
}

export interface DemoAccount {
  id: number
  username: string
  identity: string
  may_sign_in: boolean
  password_hash: string | null
}

/**
 * All accounts that the demo has made. A database from before they were recorded is searched for the demo's
 * e-mail addresses, which nobody has in production, or these passwords.
 */
export async function findDemoPeople(db: Db, passwords: readonly string[]): Promise<DemoAccount[]> {
  const marked = await markedPeople(db)
  const named = demoPeople.map(({ username }) => username)
  const accounts = await db
    .selectFrom('users')
    .select(['id', 'username', 'email', 'identity', 'password_hash'])
    .select(maySignIn.as('may_sign_in'))
    .where(sql<boolean>`id = any(${marked}) or lower(username) = any(${named})`)
    .orderBy('id')
    .execute()
  const isSure = ({ id, email }: { id: number; email: string | null }) =>
    marked.includes(id) || demoPeople.some(person => person.email === email)
  const unsure = accounts.filter(account => !isSure(account))
  const recognised = await withPassword(unsure, passwords)
  return accounts.filter(account => isSure(account) || recognised.includes(account))
}

async function markedPeople(db: Db): Promise<number[]> {
  const mark = await db.selectFrom('setting').select('value').where('name', '=', MARK).executeTakeFirst()
  return mark ? Marked.parse(JSON.parse(Buffer.from(mark.value).toString())) : []
}

async function withPassword<T extends { password_hash: string | null }>(
  accounts: readonly T[],
  passwords: readonly string[],
): Promise<T[]> {
  const found: T[] = []
  for (const account of accounts) {
    if (account.password_hash === null) continue
    for (const password of new Set(passwords))
      if (await isPassword(password, account.password_hash)) {
        found.push(account)
        break
      }
  }
  return found
}
