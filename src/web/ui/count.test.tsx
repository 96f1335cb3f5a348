// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { draw } from '#web/testing/render.tsx'
import { Count } from './count.tsx'

it('writes a number with the separators of the language', () => {
  draw(<Count value={1234567} />)
  expect(screen.getByText('1,234,567').hasAttribute('data-tabular')).toBe(true)
})
