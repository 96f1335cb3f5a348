// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useEffect } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { agreementOf, exampleDraft, lineDraft, UNIT } from '#web/pages/orders/testing/example-quotation.ts'
import { draw } from '#web/testing/render.tsx'
import type { Draft } from './draft.ts'
import { EditorBar } from './editor-bar.tsx'
import { SumsCard } from './sums-card.tsx'
import { agreedFees, sumsOf } from './sums.ts'
import { useDraft } from './use-draft.ts'

const today = '2026-11-26'
const agreed = agreedFees([agreementOf({ amount: 100 * UNIT })], 'TWD', today)
const sums = (draft: Draft) => sumsOf(draft, { today, agreed, commission: { rate: 1000, base: 'fee' } })

function drawn(initial: Draft) {
  const onDraft = vi.fn<(draft: Draft) => void>()
  function Page() {
    const { draft, faults, change } = useDraft(initial)
    useEffect(() => onDraft(draft), [draft])
    const isTiered = draft.lines.some(line => line.fee_rate === null && agreed(line).isTiered)
    return (
      <SumsCard draft={draft} sums={sums(draft)} faults={faults.head} isTiered={isTiered} onChange={change} />
    )
  }
  draw(<Page />)
  return () => onDraft.mock.lastCall?.[0] ?? initial
}

/** What stands beside a name in the list of sums. */
const sum = (name: string) => screen.getByText(name).nextElementSibling?.textContent

describe('the sums', () => {
  it('are those of the document, with the commission that is on none', () => {
    drawn(exampleDraft())
    expect(sum('Media')).toBe('NT$255,555')
    expect(sum('Service fee')).toBe('NT$31,944')
    expect(sum('Taxable')).toBe('NT$282,499')
    expect(sum('Tax')).toBe('NT$14,125')
    expect(sum('Total')).toBe('NT$296,624')
    expect(sum('Agent’s commission (On no document)')).toBe('NT$3,194')
  })

  it('follow the discount and the least fee while they are typed', async () => {
    const draft = drawn(exampleDraft())
    await userEvent.clear(screen.getByLabelText('Discount', { selector: 'input' }))
    expect(sum('Total')).toBe('NT$301,874')
    await userEvent.type(screen.getByLabelText('Least service fee'), '40000')
    expect(sum('of which to the minimum')).toBe('NT$8,056')
    expect(draft()).toMatchObject({ discount: null, fee_minimum: 40_000 * UNIT })
  })

  it('say that a discount is larger than what is charged', async () => {
    drawn(exampleDraft())
    await userEvent.clear(screen.getByLabelText('Discount', { selector: 'input' }))
    await userEvent.type(screen.getByLabelText('Discount', { selector: 'input' }), '300000')
    expect(screen.getByRole('alert').textContent).toBe('The discount is larger than what is charged.')
  })

  it('ask for rates where the agreement has no single one', () => {
    drawn(exampleDraft({ lines: [lineDraft({ fee_rate: null })] }))
    expect(screen.getByText(/enter the fee rate of each line/)).toBeTruthy()
  })
})

describe('the bar', () => {
  const barWith = (props: Partial<Parameters<typeof EditorBar>[0]>) => {
    const actions = {
      onJump: vi.fn<() => void>(),
      onPdf: vi.fn<() => void>(),
      onSave: vi.fn<() => void>(),
      onSend: vi.fn<() => void>(),
    }
    const draft = exampleDraft()
    draw(
      <EditorBar
        sums={sums(draft)}
        currency={draft.currency}
        isNew={false}
        isDirty={false}
        isSaving={false}
        faults={0}
        {...actions}
        {...props}
      />,
    )
    return actions
  }

  it('has the sums in sight, and saves what has changed', async () => {
    const { onSave, onSend } = barWith({ isDirty: true })
    expect(sum('Total')).toBe('NT$296,624')
    expect(screen.getByText('Unsaved changes')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Save' }))
    await userEvent.click(screen.getByRole('button', { name: 'Save and send' }))
    expect([onSave.mock.calls.length, onSend.mock.calls.length]).toEqual([1, 1])
  })

  it('has nothing to save where nothing has changed', () => {
    barWith({})
    expect(screen.getByText('Saved')).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Save' }).hasAttribute('disabled')).toBe(true)
  })

  it('leads to what is wrong', async () => {
    const { onJump } = barWith({ isDirty: true, faults: 2 })
    await userEvent.click(screen.getByRole('button', { name: '2 fields need attention' }))
    expect(onJump).toHaveBeenCalledOnce()
  })
})
