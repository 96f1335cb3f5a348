// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { drawFiles } from '#web/pages/materials/testing/draw-materials.tsx'
import { storedFileOf } from '#web/pages/materials/testing/samples.ts'
import { listOf } from '#web/testing/fake-server.ts'
import { fileTypeOf } from './file-type.tsx'

const row = async (name: string) =>
  within((await screen.findByRole('button', { name })).closest('tr') ?? document.body)

describe('the list of files', () => {
  it('says of each what it is, whose, and how large', async () => {
    drawFiles({
      answers: {
        'GET /api/file/': listOf([
          storedFileOf({ tags: ['a', 'b', 'c', 'd', 'e'] }),
          storedFileOf({ id: 7, name: 'film.mp4', mime: 'video/mp4', advertiser_name: null }),
        ]),
      },
    })
    const brief = await row('brief.pdf')
    expect(brief.getAllByTitle('application/pdf')[0]?.textContent).toBe('Document PDF')
    expect(brief.getByText('2.4 MB').isConnected).toBe(true)
    expect(brief.getByText('+2').title).toBe('d\ne')
    expect((await row('film.mp4')).getAllByText('Agency').length).toBeGreaterThan(0)
  })

  it('is filtered and ordered in the address', async () => {
    const { searches } = drawFiles({ search: { page: 3 } })
    await userEvent.click(await screen.findByRole('combobox', { name: 'Use' }))
    await userEvent.click(await screen.findByRole('option', { name: 'Used in links' }))
    await userEvent.click(screen.getByRole('button', { name: 'Type' }))
    await userEvent.click(screen.getByRole('button', { name: 'brief.pdf' }))
    await expect.poll(searches).toEqual([
      { search: '', page: 1, is_used: true },
      { search: '', page: 1, ordering: 'mime' },
      { search: '', page: 3, file: 6 },
    ])
  })

  it('opens one beside it', async () => {
    const { changes } = drawFiles({
      search: { file: 6 },
      answers: { 'PATCH /api/file/6/': storedFileOf({ version: 3, name: 'plan.pdf' }) },
    })
    const open = within(await screen.findByRole('dialog', { name: 'brief.pdf' }))
    await userEvent.clear(open.getByRole('textbox', { name: 'Name' }))
    await userEvent.click(open.getByRole('button', { name: 'Save' }))
    expect((await open.findByText('Please fill this in.')).isConnected).toBe(true)
    await userEvent.type(open.getByRole('textbox', { name: 'Name' }), 'plan.pdf')
    await userEvent.click(open.getByRole('button', { name: 'Save' }))
    await expect.poll(changes).toEqual([['PATCH', '/api/file/6/', { name: 'plan.pdf', version: 2 }]])
  })
})

describe('the type of a file', () => {
  it.each([
    ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'document'],
    ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'spreadsheet'],
    ['application/vnd.openxmlformats-officedocument.presentationml.presentation', 'presentation'],
    ['application/vnd.ms-excel', 'spreadsheet'],
    ['text/csv', 'spreadsheet'],
    ['text/plain', 'text'],
    ['application/x-7z-compressed', 'archive'],
    ['image/vnd.adobe.photoshop', 'image'],
    ['font/woff2', 'font'],
    ['audio/mpeg', 'audio'],
    ['application/octet-stream', 'other'],
  ])('of %s is %s', (mime, type) => expect(fileTypeOf(mime)).toBe(type))
})
