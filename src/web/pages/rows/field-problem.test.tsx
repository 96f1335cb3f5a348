// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { Problem } from '#web/client/problem.ts'
import { draw } from '#web/testing/render.tsx'
import { fieldProblem, GeneralProblem } from './field-problem.tsx'

const refused = (fields: Problem['fields']) => new Problem({ code: 'invalid', status: 400, fields })

describe('a refusal', () => {
  it('of a part of a field is shown by the field', () => {
    draw(<p>{fieldProblem(refused({ 'tags.0': ['field_too_long'], tagged: [] }), 'tags')}</p>)
    expect(screen.getByText('This is too long.').isConnected).toBe(true)
  })

  it('of nothing that the form has is said beside it', () => {
    const problem = refused({ 'tags.0': ['field_too_long'], 'rows.3.name': ['field_invalid'], mime: [] })
    draw(<GeneralProblem problem={problem} fields={['tags']} />)
    expect(screen.getByRole('alert').textContent).toBe(
      'Some fields are not valid.rows.3.name: This value is not valid.mime: ',
    )
  })

  it('is left to the fields where they show all of it', () => {
    const { container } = draw(
      <GeneralProblem problem={refused({ 'tags.0': ['field_too_long'] })} fields={['tags']} />,
    )
    expect(container.textContent).toBe('')
  })
})
