import { createHash } from 'node:crypto'
import { Issuer, UpdateIssuer } from '#shared/api/customers.ts'
import { whyNotTaxId } from '#shared/billing/tax-id.ts'
import { refuse, type FieldProblem } from '#server/http/refusal.ts'
import { route } from '#server/http/route.ts'
import { changedFields } from '#server/resources/audit/changed-fields.ts'
import { writeAudit } from '#server/resources/audit/queries.ts'
import { dataUrlOf, logoOf } from './logo.ts'
import { findIssuer, isBaseCurrencyUsed, lockIssuer, updateIssuer, type IssuerRow } from './queries.ts'

const PATH = '/api/ad_insertion/issuer/'

const read = route('GET', PATH, {
  summary: 'Get how the agency stands on its quotations, statements and requests for payment.',
  level: 'staff',
  reply: Issuer,
  run: async ({ db }) => present(await findIssuer(db)),
})

const update = route('PATCH', PATH, {
  summary: 'Change how the agency stands on its documents. Those that have been sent keep what they had.',
  level: 'director_or_finance',
  body: UpdateIssuer,
  reply: Issuer,
  async run({ body: { version, logo: url, ...changes }, user, db, now }) {
    const before = await lockIssuer(db)
    if (before.version !== version) throw refuse('conflict', { extra: { issuer: present(before) } })
    const logo = url == null ? url : logoOf(url)
    const fields = problemsOf(changes)
    if (typeof logo === 'string') fields['logo'] = [logo]
    const { base_currency = before.base_currency } = changes
    if (base_currency !== before.base_currency && (await isBaseCurrencyUsed(db)))
      fields['base_currency'] = ['base_currency_used']
    if (typeof logo === 'string' || Object.keys(fields).length > 0) throw refuse('invalid', { fields })
    await updateIssuer(db, { ...changes, logo, now })
    const after = await findIssuer(db)
    const detail = { changes: changedFields(forTrail(before), forTrail(after)) }
    await writeAudit(
      db,
      { actor: user.id, action: 'issuer.change', object: 'issuer', object_id: 1, detail },
      now,
    )
    return present(after)
  },
})

/** An agency of Taiwan; the number of a qualified invoice is Japanese. */
function problemsOf({ tax_id, jp_tax_id }: { tax_id?: string | undefined; jp_tax_id?: string | undefined }) {
  const fields: Record<string, FieldProblem[]> = {}
  const fault = tax_id ? whyNotTaxId('TW', tax_id) : null
  const jpFault = jp_tax_id ? whyNotTaxId('JP', jp_tax_id) : null
  if (fault) fields['tax_id'] = [fault]
  if (jpFault) fields['jp_tax_id'] = [jpFault]
  return fields
}

function present({ is_only: _only, logo, logo_type, terms_en, terms_zh, ...row }: IssuerRow): Issuer {
  return {
    ...row,
    terms: { en: terms_en, 'zh-TW': terms_zh },
    logo: logo && logo_type && dataUrlOf(logo_type, logo),
    last_modified_at: row.last_modified_at.toISOString(),
  }
}

/** A picture is its hash there: the trail only says that it is another one. */
function forTrail(row: IssuerRow) {
  const { version: _version, last_modified_at: _last, logo: _logo, ...facts } = present(row)
  return { ...facts, logo: row.logo && createHash('sha256').update(row.logo).digest('hex') }
}

export const issuerRoutes = [read, update]
