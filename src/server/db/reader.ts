import {
  CompiledQuery,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
  type DatabaseConnection,
  type Driver,
  type IsolationLevel,
  type QueryResult,
  type TransactionSettings,
} from 'kysely'
import type { Client } from 'pg'
import type { Person } from '#shared/access.ts'
import type { Db } from './connect.ts'
import { codeOf } from './problem.ts'
import type { Database } from './schema.ts'

/**
 * The role in which rows are read for a person. It owns nothing and cannot sign in, so the policies of
 * db/migrations apply to it even when a query lacks its condition. Roles belong to the server and not to a
 * database: several databases share it, and each grants it its own tables.
 */
export const READER = 'sheetcast_reader'

/**
 * Tables with policies, and those that hold nobody's data. The role cannot read any other table at all,
 * secrets above all.
 */
const readable = [
  'ad_account',
  'adjustment',
  'advertiser',
  'advertiser_member',
  'agent',
  'audience',
  'audience_share',
  'audience_upload',
  'billing_month',
  'business',
  'business_ad_account',
  'business_member',
  'calculated_metric',
  'conversion_definition',
  'erasure',
  'erasure_account',
  'execution',
  'execution_run',
  'fee_agreement',
  'file',
  'filter_value',
  'folder',
  'image',
  'industry',
  'issuer',
  'link',
  'link_preset',
  'locked_account',
  'metric_label',
  'notification',
  'payment',
  'platform_invoice',
  'publisher',
  'quotation',
  'quotation_file',
  'quotation_line',
  'quotation_line_account',
  'rate',
  'receipt',
  'refresh_family',
  'report',
  'report_account',
  'report_favourite',
  'report_share',
  'report_view',
  'report_version',
  'run',
  'run_chunk',
  'site',
  'spend_account',
  'spend_day',
  'spend_month',
  'statement',
  'statement_line',
  'support_addition',
  'support_image',
  'support_issue',
  'target_audience',
  'target_audience_list',
]

/** Of people, all but the password. */
const readableOfUsers = (
  'id username full_name identity department user_type plan position email email_confirmed contacts company_extension ' +
  'language theme mail_notices is_active employment_status created_at last_modified_at'
).split(' ')

/**
 * From here to its end the transaction reads what this person may see. Superusers may see all, and read as
 * the owner of the tables does.
 */
export async function readAs(trx: Db, person: Person): Promise<void> {
  if (person.identity !== 'superuser') await trx.executeQuery(enter(person))
}

// The session's user may be in another role from the start: that is the one to return to.
const enter = ({ id, identity, department }: Person) =>
  CompiledQuery.raw(
    `select set_config('sheetcast.person', $1, true), set_config('sheetcast.identity', $2, true),
      set_config('sheetcast.department', $3, true), set_config('sheetcast.owner', current_setting('role'), true),
      set_config('role', '${READER}', true)`,
    [String(id), identity, department === null ? '' : String(department)],
  )

/**
 * For what a person learns about rows that they may not see, such as how many runs wait before theirs: `work`
 * reads every row, and returns nothing but that.
 */
export async function readingEveryRow<T>(trx: Db, work: () => Promise<T>): Promise<T> {
  const { rows } = await sql<{ was: string }>`
    select current_setting('role') as was,
      case when current_setting('role') = ${READER} then set_config('role', current_setting('sheetcast.owner'), true) end`.execute(
    trx,
  )
  const result = await work()
  if (rows[0]?.was === READER) await sql`select set_config('role', ${READER}, true)`.execute(trx)
  return result
}

/** The database as a person may read it, for reads that take too long for one transaction. */
export function readerOf(db: Db, person: Person): Db {
  if (person.identity === 'superuser') return db
  return new Kysely<Database>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new ReaderDriver(db, person),
      createIntrospector: each => new PostgresIntrospector(each),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  })
}

class ReaderDriver implements Driver {
  readonly #db: Db
  readonly #person: Person

  constructor(db: Db, person: Person) {
    this.#db = db
    this.#person = person
  }

  async acquireConnection(): Promise<ReaderConnection> {
    const taken = Promise.withResolvers<ReaderConnection>()
    this.#db
      .getExecutor()
      .provideConnection(async inner => {
        const released = Promise.withResolvers<void>()
        taken.resolve(new ReaderConnection(inner, this.#person, released.resolve))
        await released.promise
      })
      .catch(taken.reject)
    return await taken.promise
  }

  async releaseConnection(connection: ReaderConnection) {
    connection.release()
  }

  async beginTransaction(connection: ReaderConnection, { isolationLevel }: TransactionSettings) {
    await connection.begin(isolationLevel)
  }

  async commitTransaction(connection: ReaderConnection) {
    await connection.end('commit')
  }

  async rollbackTransaction(connection: ReaderConnection) {
    await connection.end('rollback')
  }

  async init() {}
  async destroy() {}
}

/** Each statement outside of a transaction is one of its own, so that the role ends with it. */
class ReaderConnection implements DatabaseConnection {
  readonly #inner: DatabaseConnection
  readonly #person: Person
  readonly release: () => void
  #is_within = false

  constructor(inner: DatabaseConnection, person: Person, release: () => void) {
    this.#inner = inner
    this.#person = person
    this.release = release
  }

  async begin(isolation: IsolationLevel = 'read committed') {
    await this.#inner.executeQuery(CompiledQuery.raw(`start transaction isolation level ${isolation}`))
    this.#is_within = true
    await this.#inner.executeQuery(enter(this.#person))
  }

  async end(how: 'commit' | 'rollback') {
    this.#is_within = false
    await this.#inner.executeQuery(CompiledQuery.raw(how))
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#is_within) return await this.#inner.executeQuery<R>(query)
    try {
      await this.begin()
      const found = await this.#inner.executeQuery<R>(query)
      await this.end('commit')
      return found
    } catch (error) {
      if (this.#is_within) await this.end('rollback')
      throw error
    }
  }

  streamQuery(): never {
    throw new Error('rows are read in batches')
  }
}

/**
 * Creates the role and grants it what it lacks, under the lock of migrations. An owner of the database who
 * may not create roles gets a warning with the statement to run: until then only the rules of the code apply,
 * as before there were policies.
 */
export async function prepareReader(client: Client, log: (message: string) => void): Promise<void> {
  try {
    const { rows } = await client.query(LACKING, [readable, readableOfUsers])
    const { has_role, is_member, lacking, lacking_of_users, lacks_factors, lacks_trail } = rows[0]
    if (!has_role) await makeRole(client)
    if (!is_member) await client.query(`grant ${READER} to current_user`)
    for (const table of lacking) await client.query(`grant select on ${table} to ${READER}`)
    for (const column of lacking_of_users)
      await client.query(`grant select (${column}) on users to ${READER}`)
    if (lacks_factors) await client.query(`grant select (user_id) on second_factor to ${READER}`)
    if (lacks_trail) await client.query(`grant insert on audit to ${READER}`)
  } catch (error) {
    if (codeOf(error) !== INSUFFICIENT_PRIVILEGE) throw error
    log(
      `Row-level security is off, since this database user may not make the role ${READER}. As an administrator of the database run: ` +
        `create role ${READER} nologin; grant ${READER} to ${(await client.query('select quote_ident(current_user) as me')).rows[0].me};`,
    )
  }
}

const INSUFFICIENT_PRIVILEGE = '42501'

const LACKING = `
  select role.oid is not null as has_role,
    coalesce(pg_has_role(role.oid, 'member'), false) as is_member,
    array(select name from unnest($1::text[]) name
      where to_regclass(name) is not null and not coalesce(has_table_privilege(role.oid, to_regclass(name), 'select'), false)) as lacking,
    array(select attname::text from pg_attribute
      where attrelid = to_regclass('users') and attname = any($2::text[])
        and not coalesce(has_column_privilege(role.oid, attrelid, attnum, 'select'), false)) as lacking_of_users,
    to_regclass('second_factor') is not null
      and not coalesce(has_column_privilege(role.oid, to_regclass('second_factor'), 'user_id', 'select'), false) as lacks_factors,
    to_regclass('audit') is not null
      and not coalesce(has_table_privilege(role.oid, to_regclass('audit'), 'insert'), false) as lacks_trail
  from (select to_regrole('${READER}')::oid as oid) role`

/** Another database of the same server may create it at this moment. */
async function makeRole(client: Client) {
  try {
    await client.query(`create role ${READER} nologin`)
  } catch (error) {
    if (!['42710', '23505'].includes(codeOf(error) ?? '')) throw error
  }
}

/** Whether the policies apply to what is read in the role. */
export async function isReaderReady(db: Db): Promise<boolean> {
  try {
    return await db.transaction().execute(async trx => {
      await trx.executeQuery(enter({ id: 0, identity: 'external_user', department: null }))
      const { rows } = await sql<{ holds: boolean }>`
        select row_security_active('report') and not exists (select from report) as holds`.execute(trx)
      return rows[0]?.holds ?? false
    })
  } catch (error) {
    if (['42501', '22023', '42704'].includes(codeOf(error) ?? '')) return false
    throw error
  }
}
