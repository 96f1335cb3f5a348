// @vitest-environment happy-dom
import { QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useEffect } from 'react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createQueryClient } from '#web/client/query-client.ts'
import { exampleDraft } from '#web/pages/orders/testing/example-quotation.ts'
import { answerWith, listOf } from '#web/pages/orders/testing/page-router.tsx'
import { draw } from '#web/testing/render.tsx'
import type { Draft } from './draft.ts'
import type { Faults } from './faults.ts'
import { HeadFields, TextFields } from './head-fields.tsx'
import { useDraft } from './use-draft.ts'

afterEach(() => vi.restoreAllMocks())

function drawn(initial: Partial<Draft> = {}, faults: Faults['head'] = {}) {
  const first = exampleDraft(initial)
  answerWith({
    '/api/advertiser/': listOf([{ id: 1, name: 'Fjord Travel' }]),
    '/api/advertiser/1/': { id: 1, name: 'Fjord Travel' },
    '/api/agent/': listOf([{ id: 2, name: 'Bright Agency', is_active: true }]),
    '/api/user/': listOf([]),
  })
  const onDraft = vi.fn<(draft: Draft) => void>()
  function Page() {
    const { draft, change } = useDraft(first)
    useEffect(() => onDraft(draft), [draft])
    return (
      <>
        <HeadFields
          draft={draft}
          faults={faults}
          isRevision={false}
          onChange={change}
          onAdvertiser={() => {}}
        />
        <TextFields draft={draft} faults={faults} onChange={change} />
      </>
    )
  }
  draw(
    <QueryClientProvider client={createQueryClient()}>
      <Page />
    </QueryClientProvider>,
  )
  return () => onDraft.mock.lastCall?.[0] ?? first
}

const picker = (name: string) => screen.getByRole('combobox', { name })
const choose = async (name: string, option: string) => {
  await userEvent.click(picker(name))
  await userEvent.click(await screen.findByRole('option', { name: option }))
}

describe('the head of a quotation', () => {
  it('is billed to an agent only where there is one', async () => {
    const draft = drawn()
    expect(screen.queryByText('Bill to')).toBeNull()
    await choose('Agent', 'Bright Agency')
    await userEvent.click(screen.getByRole('radio', { name: 'Agent' }))
    expect(draft()).toMatchObject({ agent: 2, bill_to: 'agent' })
    await choose('Agent', 'None')
    expect(draft()).toMatchObject({ agent: null, bill_to: 'advertiser' })
  })

  it('says what the choice of who pays the media means', async () => {
    const draft = drawn()
    expect(screen.getByText('Media and fee are billed and taxed.')).toBeTruthy()
    await choose('Media', 'Paid by the customer')
    expect(screen.getByText(/only the fee is billed/)).toBeTruthy()
    expect(draft()).toMatchObject({ media_billing: 'client' })
  })

  it('has a tax, a language, days and terms of payment', async () => {
    const draft = drawn()
    await choose('Tax', 'Zero-rated')
    await userEvent.click(screen.getByRole('radio', { name: 'English' }))
    fireEvent.change(screen.getByLabelText('Issue date'), { target: { value: '2026-11-05' } })
    fireEvent.change(screen.getByLabelText('Valid until'), { target: { value: '2026-11-30' } })
    await choose('Counted from', 'After the end of the month')
    expect(draft()).toMatchObject({
      tax: 'zero_rated',
      language: 'en',
      issue_on: '2026-11-05',
      valid_until: '2026-11-30',
      payment_terms: { kind: 'month_end', days: 30 },
    })
  })

  it('has the terms of the agency until others are written', async () => {
    const draft = drawn()
    expect(screen.queryByRole('textbox', { name: 'Terms' })).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: 'Write other terms' }))
    await userEvent.type(screen.getByRole('textbox', { name: 'Terms' }), 'Net 30')
    await userEvent.type(screen.getByRole('textbox', { name: 'Internal note' }), 'Careful')
    expect(draft()).toMatchObject({ terms: 'Net 30', internal_note: 'Careful' })
  })

  it('marks what the server has refused', () => {
    drawn({}, { title: 'field_required', client_po: 'field_too_long', valid_until: 'field_invalid' })
    for (const name of ['Title', 'Customer’s PO'])
      expect(screen.getByRole('textbox', { name }).getAttribute('aria-invalid')).toBe('true')
    expect(screen.getByLabelText('Valid until').getAttribute('aria-invalid')).toBe('true')
    expect(picker('Tax').hasAttribute('aria-invalid')).toBe(false)
  })
})
