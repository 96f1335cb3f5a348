// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest'
import { draw } from '#web/testing/render.tsx'
import { FormulaText } from './formula-text.tsx'

const rubies = (formula: string, channels: Parameters<typeof FormulaText>[0]['channels']) => {
  const { container } = draw(<FormulaText formula={formula} channels={channels} />)
  return {
    text: container.textContent,
    names: [...container.querySelectorAll('rt')].map(({ textContent }) => textContent),
  }
}

describe('a formula as it is read', () => {
  it('has the name of each metric below it, as often as it is there', () => {
    const { text, names } = rubies('(conversion_value - cost) / cost', ['fb'])
    expect(names).toEqual(['Conversion value', 'Cost', 'Cost'])
    expect(text).toBe('(conversion_valueConversion value - costCost) / costCost')
  })

  it('has the name of a channel that offers it', () => {
    expect(rubies('sessions / users', ['ga4']).names).toEqual(['Sessions', 'Total users'])
  })

  it('keeps what it does not know', () => {
    expect(rubies('cost / wins', ['fb'])).toEqual({ text: 'costCost / wins', names: ['Cost'] })
    expect(rubies('cost **', ['fb'])).toEqual({ text: 'cost **', names: [] })
    expect(rubies('cost', [])).toEqual({ text: 'cost', names: [] })
  })

  it('is followed by what comes after its last metric', () => {
    expect(rubies('cost * 2 ', ['fb']).text).toBe('costCost * 2 ')
  })
})
