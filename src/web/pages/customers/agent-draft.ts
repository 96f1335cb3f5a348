import type { Agent } from '#shared/api/customers.ts'
import { filledIn } from '#web/ui/contact-list.tsx'
import type { TypedRate } from '#web/ui/rate.ts'
import type { TypedTerms } from '#web/ui/terms-input.tsx'
import { plainTaxId, taxIdFault } from './tax-id-field.tsx'

/** An agent while it is being edited: a rate or terms may be no such thing yet. */
export type AgentDraft = Pick<
  Agent,
  'name' | 'tax_country' | 'tax_id' | 'address' | 'commission_base' | 'contacts' | 'note' | 'is_active'
> & { commission_rate: TypedRate; payment_terms: TypedTerms }

export const EMPTY_AGENT: AgentDraft = {
  name: '',
  tax_country: 'TW',
  tax_id: '',
  address: '',
  commission_rate: null,
  commission_base: 'fee',
  contacts: [],
  payment_terms: { kind: 'month_end', days: 30 },
  note: '',
  is_active: true,
}

export const agentDraft = (agent: Agent): AgentDraft => ({
  name: agent.name,
  tax_country: agent.tax_country,
  tax_id: agent.tax_id,
  address: agent.address,
  commission_rate: agent.commission_rate,
  commission_base: agent.commission_base,
  contacts: agent.contacts,
  payment_terms: agent.payment_terms,
  note: agent.note,
  is_active: agent.is_active,
})

/** What is sent; null: something in the draft cannot be. */
export function agentBody({ is_active: _active, ...draft }: AgentDraft) {
  const { commission_rate, payment_terms } = draft
  if (draft.name.trim() === '' || taxIdFault(draft) !== null) return null
  if (commission_rate === 'invalid' || payment_terms === 'invalid') return null
  return {
    ...draft,
    name: draft.name.trim(),
    tax_id: plainTaxId(draft.tax_id),
    commission_rate: commission_rate ?? 0,
    contacts: filledIn(draft.contacts),
    payment_terms,
  }
}
