import { sql } from 'kysely'
import type { Db } from '#server/db/connect.ts'
import { signedIn } from './api-seed.ts'

const ADVERTISERS = 300
/** Which a person of the staff serves. */
const SERVED = 5

/** So many orders of 300 advertisers in every state, with two lines and a payment each. */
export async function seedQuotations(db: Db, quotations: number) {
  await sql`
    insert into users (username, identity, user_type, department)
    values ('director', 'director', 1, 1), ('staff', 'staff', 1, 2)`.execute(db)
  const [director, staff] = await db.selectFrom('users').select('id').orderBy('id').execute()
  if (!director || !staff) throw new Error('nobody')
  await sql`
    insert into advertiser (name) select 'Advertiser ' || n from generate_series(1, ${ADVERTISERS}::int) n`.execute(
    db,
  )
  await sql`
    insert into advertiser_member (advertiser, user_id)
    select id, ${staff.id} from advertiser order by id limit ${SERVED}`.execute(db)
  await sql`
    with customer as (select array_agg(id order by id) as ids from advertiser)
    insert into quotation (number, status, title, advertiser, owner, currency, tax, media_billing, language, issue_on, valid_until,
      payment_terms, subtotal, service_fee, taxable, tax_amount, total, verdict)
    select 'Q2026-' || lpad(n::text, 6, '0'), (array['draft', 'sent', 'accepted', 'accepted', 'rejected', 'cancelled'])[1 + n % 6],
      (array['雙 11 檔期', 'Spring', '週年慶', 'Launch'])[1 + n % 4] || ' ' || n, customer.ids[1 + n % ${ADVERTISERS}::int], ${staff.id},
      (array['TWD', 'TWD', 'TWD', 'USD', 'JPY'])[1 + n % 5], 'tw_vat', 'agency', 'zh-TW', date '2026-01-01' + n % 330,
      date '2026-01-15' + n % 330, '{"kind": "days", "days": 30}', n * 1000000::bigint, 0, n * 1000000::bigint, 0, n * 1000000::bigint,
      case when n % 60 = 2 then 'under' end
    from generate_series(0, ${quotations - 1}::int) n, customer`.execute(db)
  await sql`
    insert into quotation_line (quotation, position, title, "start", "end", pricing, budget, media, fee)
    select id, position, 'A line', issue_on, issue_on + 30, 'budget', total / 2, total / 2, 0
    from quotation, generate_series(0, 1) position`.execute(db)
  await sql`
    insert into payment (number, quotation, advertiser, untaxed, taxable, tax_amount, amount, currency, issue_on, due_on, status, received)
    select 'P' || number, id, advertiser, 0, total, 0, total, currency, issue_on, issue_on + 30,
      case when id % 3 = 0 then 'due' else 'paid' end, case when id % 3 = 0 then 0 else total end
    from quotation`.execute(db)
  await sql`vacuum analyze`.execute(db)
  const { id: order } = await db
    .selectFrom('quotation')
    .innerJoin('advertiser_member as member', 'member.advertiser', 'quotation.advertiser')
    .select('quotation.id')
    .limit(1)
    .executeTakeFirstOrThrow()
  return { director: await signedIn(db, director.id), staff: await signedIn(db, staff.id), order }
}
