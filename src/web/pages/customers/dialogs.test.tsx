// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { Problem } from '#web/client/problem.ts'
import { draw } from '#web/testing/render.tsx'
import { drawFor } from '#web/testing/draw-for.tsx'
import { changesIn, listOf, serve } from '#web/testing/fake-server.ts'
import { people } from './testing/samples.ts'
import { ConflictNotice } from '#web/pages/rows/conflict-notice.tsx'
import { DeleteDialog } from '#web/pages/rows/delete-dialog.tsx'
import { ImportDialog } from '#web/pages/rows/import-dialog.tsx'
import { useMemberOptions } from './people.ts'

const user = userEvent
const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name })

describe('deleting', () => {
  const row = { id: 1, version: 3, name: 'Aurora' }

  /** Tries to delete it while this refers to it. */
  async function refused(by: Record<string, unknown>, instead?: () => void) {
    const calls = serve({
      'DELETE /api/advertiser/1/': new Problem({ code: 'in_use', status: 409, body: { by } }),
    })
    drawFor(
      <DeleteDialog
        path="/api/advertiser/"
        row={row}
        onClose={() => {}}
        {...(instead && { instead: { label: 'Deactivate', loading: false, onChoose: instead } })}
      />,
    )
    await user.click(button('Delete'))
    const dialog = within(await screen.findByRole('dialog', { name: 'Aurora is in use' }))
    return { calls, uses: dialog.queryAllByRole('listitem').map(({ textContent }) => textContent) }
  }

  it.each([
    ['advertisers', 1, '1 advertiser'],
    ['advertisers', 2, '2 advertisers'],
    ['accounts', 1, '1 account'],
    ['accounts', 2, '2 accounts'],
    ['reports', 1, '1 report'],
    ['reports', 2, '2 reports'],
    ['spreadsheets', 1, '1 spreadsheet'],
    ['spreadsheets', 2, '2 spreadsheets'],
    ['quotations', 1, '1 quotation'],
    ['quotations', 2, '2 quotations'],
    ['payments', 1, '1 payment'],
    ['payments', 2, '2 payments'],
    ['metrics', 1, '1 calculated metric'],
    ['metrics', 2, '2 calculated metrics'],
    ['conversions', 1, '1 conversion definition'],
    ['conversions', 2, '2 conversion definitions'],
    ['labels', 1, '1 metric name'],
    ['labels', 2, '2 metric names'],
    ['adjustments', 1, '1 adjustment of spending'],
    ['adjustments', 2, '2 adjustments of spending'],
    ['statements', 1, '1 month with a statement'],
    ['statements', 2, '2 months with a statement'],
  ])('names %s that refer to it, if there are %i', async (what, count, text) => {
    expect((await refused({ [what]: count })).uses).toEqual([text])
  })

  it('names also what only a newer server knows', async () => {
    expect((await refused({ invoices: 2, broken: 'x' })).uses).toEqual(['invoices: 2'])
  })

  it('offers what can be done instead', async () => {
    const instead = vi.fn<() => void>()
    await refused({ accounts: 1 }, instead)
    await user.click(button('Deactivate'))
    expect(instead).toHaveBeenCalledOnce()
  })

  it('sends the version that was read, and says that it is done', async () => {
    const calls = serve({ 'DELETE /api/advertiser/1/': null })
    const [onDeleted, onClose] = [vi.fn<() => void>(), vi.fn<() => void>()]
    drawFor(<DeleteDialog path="/api/advertiser/" row={row} onDeleted={onDeleted} onClose={onClose} />)
    await user.click(button('Delete'))
    await expect.poll(() => onDeleted.mock.calls.length).toBe(1)
    expect(onClose).toHaveBeenCalledOnce()
    expect(changesIn(calls)).toMatchObject([{ body: { version: 3 } }])
  })

  it('says why it failed, and can be closed', async () => {
    serve({ 'DELETE /api/advertiser/1/': new Problem({ code: 'conflict', status: 409 }) })
    const onClose = vi.fn<() => void>()
    drawFor(<DeleteDialog path="/api/advertiser/" row={row} onClose={onClose} />)
    await user.click(button('Delete'))
    await screen.findByText('Somebody else has changed this in the meantime.')
    await user.click(button('Cancel'))
    expect(onClose).toHaveBeenCalledOnce()
  })
})

describe('a conflict', () => {
  it('names what the other has changed', () => {
    draw(<ConflictNotice fields={['Tax', 'Note']} onMerge={() => {}} onTakeTheirs={() => {}} />)
    expect(screen.getByRole('alert').textContent).toContain('They changed: Tax, Note.')
  })

  it('says that it was nothing of this form', () => {
    draw(<ConflictNotice fields={[]} onMerge={() => {}} onTakeTheirs={() => {}} />)
    expect(screen.getByRole('alert').textContent).toContain('something that is not on this form')
  })

  it('is settled either way', async () => {
    const [onMerge, onTakeTheirs] = [vi.fn<() => void>(), vi.fn<() => void>()]
    draw(<ConflictNotice fields={['Tax']} onMerge={onMerge} onTakeTheirs={onTakeTheirs} />)
    await user.click(button('Keep my changes too'))
    await user.click(button('Discard mine'))
    expect([onMerge.mock.calls.length, onTakeTheirs.mock.calls.length]).toEqual([1, 1])
  })
})

function drawnImport(answer: unknown) {
  const calls = serve({ 'POST /api/advertiser/import/': answer })
  const onClose = vi.fn<() => void>()
  drawFor(
    <ImportDialog title="Import" path="/api/advertiser/" columns={['Name', 'Tax ID']} onClose={onClose} />,
  )
  return { calls, onClose }
}

describe('an import', () => {
  const file = (name = 'rows.csv', type = 'text/csv') => new File(['name\nNova\n'], name, { type })
  const input = () =>
    document.querySelector<HTMLInputElement>('input[type=file]') ?? document.createElement('input')

  it('names the columns, and can do nothing without a file', () => {
    drawnImport(null)
    expect(screen.getByText(/Name, Tax ID/).textContent).toContain('A CSV file with a header row')
    expect(button('Import').disabled).toBe(true)
  })

  it('takes no other files', async () => {
    const { calls } = drawnImport(null)
    await user.upload(input(), file('rows.xlsx', 'application/zip'), { applyAccept: false })
    await screen.findByText('“rows.xlsx” is not a supported file type.')
    expect(calls).toEqual([])
  })

  it('says what is wrong with the file as a whole', async () => {
    drawnImport(new Problem({ code: 'payload_too_large', status: 413 }))
    await user.upload(input(), file())
    await screen.findByText('The request is too large.')
    expect(button('Import').disabled).toBe(true)
  })

  it('stays open when somebody has changed the list since the trial', async () => {
    const problems = [{ row: 2, field: 'name', code: 'name_taken' }]
    const answers = [
      { create: 1, change: 0, same: 0, problems: [] },
      { create: 0, change: 0, same: 0, problems },
    ]
    const { onClose } = drawnImport(() => answers.shift())
    await user.upload(input(), file())
    await user.click(await screen.findByRole('button', { name: 'Import 1 row' }))
    await screen.findByText('1 problem in the file')
    expect(onClose).not.toHaveBeenCalled()
  })

  it('tries another file anew', async () => {
    const answers = [
      { create: 0, change: 0, same: 5, problems: [] },
      { create: 2, change: 0, same: 3, problems: [] },
    ]
    const { calls } = drawnImport(() => answers.shift())
    await user.upload(input(), file())
    await screen.findByText('Nothing would change: all 5 rows are there already.')
    await user.upload(input(), file('more.csv'))
    await screen.findByRole('button', { name: 'Import 2 rows' })
    expect(changesIn(calls).map(({ query }) => query)).toEqual([{ dry_run: true }, { dry_run: true }])
  })
})

function Options() {
  return useMemberOptions().map(({ value, label, group }) => (
    <p key={value}>
      {group}: {label}
    </p>
  ))
}

it('members are offered by department, the customers’ own people last', async () => {
  serve({
    'GET /api/user/': listOf([
      ...people,
      { ...people[1], user_id: 10, full_name: 'Dana Wu', department: null },
    ]),
    'GET /api/department/': [{ id: 2, name: 'Marketing' }],
  })
  drawFor(<Options />)
  await expect
    .poll(() => screen.queryAllByText(/: /).map(({ textContent }) => textContent))
    .toEqual(['Agency: Dana Wu', 'Marketing: Sam Huang', 'Marketing: Mika Chen', 'Clients: Alice Aurora'])
})
