// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useState } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { draw } from '#web/testing/render.tsx'
import type { TypedAmount } from '#web/ui/money.ts'
import { ChoiceCell, QuantityCell, TextCell } from './cells.tsx'

const names = { label: 'Line 2: Quantity', name: 'Quantity', field: 'quantity' as const, error: undefined }
const input = () => screen.getByLabelText<HTMLInputElement>('Line 2: Quantity')

function drawnQuantity(initial: TypedAmount, unread?: string) {
  const onChange = vi.fn<(quantity: TypedAmount) => void>()
  function Form() {
    const [value, setValue] = useState(initial)
    return (
      <>
        <QuantityCell
          label={names.label}
          value={value}
          unread={unread}
          error={undefined}
          onChange={next => {
            setValue(next)
            onChange(next)
          }}
        />
        <button onClick={() => setValue(5000)}>Set</button>
      </>
    )
  }
  draw(<Form />)
  return onChange
}

describe('a cell for a quantity', () => {
  it('is written with separators once it is left', async () => {
    const onChange = drawnQuantity(null)
    await userEvent.type(input(), '833333')
    expect(input().value).toBe('833333')
    expect(onChange).toHaveBeenLastCalledWith(833_333)
    await userEvent.tab()
    expect(input().value).toBe('833,333')
  })

  it('keeps a text that is none, and marks it', async () => {
    const onChange = drawnQuantity(1000)
    await userEvent.type(input(), 'x')
    await userEvent.tab()
    expect(onChange).toHaveBeenLastCalledWith('invalid')
    expect(input().value).toBe('1,000x')
    await userEvent.type(input(), '{Backspace}0')
    expect(onChange).toHaveBeenLastCalledWith('invalid')
    await userEvent.clear(input())
    expect(onChange).toHaveBeenLastCalledWith(null)
  })

  it('shows what was pasted and could not be read', () => {
    drawnQuantity('invalid', 'about 5')
    expect(input().value).toBe('about 5')
    expect(input().getAttribute('aria-invalid')).toBe('true')
  })

  it('follows a value that has changed elsewhere', async () => {
    drawnQuantity(1)
    await userEvent.click(screen.getByRole('button', { name: 'Set' }))
    expect(input().value).toBe('5,000')
  })
})

describe('a cell', () => {
  it('of text says what is wrong with it', () => {
    draw(<TextCell {...names} value="A" error="Too long" onChange={() => {}} />)
    expect(input().getAttribute('aria-invalid')).toBe('true')
    const description = input().getAttribute('aria-describedby') ?? ''
    expect(document.querySelector(`[id="${description}"]`)?.textContent).toBe('Too long')
  })

  it('of a day has no placeholder, one of text is called by its column', () => {
    draw(
      <>
        <TextCell {...names} value="" onChange={() => {}} />
        <TextCell {...names} label="Day" type="date" value="2026-11-01" onChange={() => {}} />
      </>,
    )
    expect(input().placeholder).toBe('Quantity')
    expect(screen.getByLabelText<HTMLInputElement>('Day').placeholder).toBe('')
    expect(screen.getByLabelText<HTMLInputElement>('Day').value).toBe('2026-11-01')
  })

  it('of a choice offers what there is', async () => {
    const onChange = vi.fn<(value: 'a' | 'b') => void>()
    const options = [
      { value: 'a' as const, label: 'Apples' },
      { value: 'b' as const, label: 'Pears' },
    ]
    draw(<ChoiceCell {...names} value="a" options={options} onChange={onChange} />)
    await userEvent.selectOptions(screen.getByLabelText('Line 2: Quantity'), 'Pears')
    expect(onChange).toHaveBeenLastCalledWith('b')
  })
})
