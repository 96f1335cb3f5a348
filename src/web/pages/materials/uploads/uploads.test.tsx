// @vitest-environment happy-dom
import { act, fireEvent, screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { Problem } from '#web/client/problem.ts'
import { forgetTray } from '#web/client/tray.ts'
import { leaveThen } from '#web/client/unsaved-changes.ts'
import { drawFiles, drawImages, drop, type Sent } from '#web/pages/materials/testing/draw-materials.tsx'
import { pngOf } from '#web/pages/materials/testing/samples.ts'

const dialog = async (name = 'Upload images') => within(await screen.findByRole('dialog', { name }))
const tray = async () => within(await screen.findByRole('region', { name: 'Uploads' }))
const lines = async () => (await tray()).getAllByRole('listitem').map(line => line.textContent)

const nth = (sent: readonly Sent[], index: number): Sent => {
  const found = sent[index]
  if (!found) throw new Error('nothing was sent')
  return found
}

/** Drops files on a page that is filtered by an advertiser, and uploads them. */
const uploaded = (...names: string[]) => uploadedBy(7, ...names)

async function uploadedBy(signedIn: number, ...names: string[]) {
  const page = drawImages({ search: { advertiser: 1 }, signedIn })
  await screen.findByRole('list', { name: 'Images' })
  drop(...names.map(pngOf))
  await userEvent.click(await screen.findByRole('button', { name: /^Upload \d+ images?$/ }))
  await tray()
  return page
}

describe('files for the page', () => {
  it('are dropped anywhere on it, and those that are none are left out', async () => {
    const { sent } = drawImages({ search: { tag: 'sale' } })
    await screen.findByRole('list', { name: 'Images' })
    drop(pngOf('a.png'), new File(['text'], 'b.png'), new File([], 'c.png'))
    const open = await dialog()
    expect(open.getByText('a.png').isConnected).toBe(true)
    expect(open.getByText('2 files cannot be uploaded').isConnected).toBe(true)
    const refused = open.getAllByRole('listitem').map(({ textContent }) => textContent)
    expect(refused).toContain('b.png This image cannot be shown. Use PNG, JPEG, GIF or WebP.')
    expect(refused).toContain('c.png This file is empty.')
    drop(pngOf('d.png'))
    await userEvent.click(await open.findByRole('button', { name: 'Upload 2 images' }))
    expect((await open.findByText('Please fill this in.')).isConnected).toBe(true)
    expect(sent).toEqual([])
    await userEvent.click(open.getByRole('combobox', { name: /^Advertiser/ }))
    await userEvent.click(await screen.findByRole('option', { name: 'Aurora' }))
    await userEvent.click(open.getByRole('button', { name: 'Upload 2 images' }))
    await expect.poll(() => sent.length).toBe(2)
    expect([...nth(sent, 0).body.keys()]).toEqual(['advertiser', 'tags', 'file'])
    expect(nth(sent, 0).body.get('advertiser')).toBe('1')
    expect(nth(sent, 0).body.get('tags')).toBe('["sale"]')
    expect(nth(sent, 0).path).toBe('/api/image/')
  })

  it('go where the list is filtered by', async () => {
    const { sent } = await uploaded('a.png')
    expect(nth(sent, 0).body.get('advertiser')).toBe('1')
    expect(nth(sent, 0).body.has('tags')).toBe(false)
  })

  it('may be the agency’s own', async () => {
    const { sent } = drawFiles({ search: { is_agency: true } })
    await screen.findByRole('table', { name: 'Files' })
    drop(new File(['%PDF-1.7'], 'brief.pdf'))
    await userEvent.click((await dialog('Upload files')).getByRole('button', { name: 'Upload 1 file' }))
    await expect.poll(() => sent.map(({ path }) => path)).toEqual(['/api/file/'])
    expect([...nth(sent, 0).body.keys()]).toEqual(['file'])
  })

  it('are not even sent when they are too large', async () => {
    drawFiles()
    await screen.findByRole('table', { name: 'Files' })
    const film = new File(['film'], 'film.mp4')
    Object.defineProperty(film, 'size', { value: 50 * 1024 ** 2 + 1 })
    drop(film)
    const open = await dialog('Upload files')
    expect(open.getByText(/The limit is 50 MB/).isConnected).toBe(true)
    expect(open.getByRole<HTMLButtonElement>('button', { name: /^Upload/ }).disabled).toBe(true)
  })

  it('are pasted, and get a name of their own', async () => {
    drawImages()
    await screen.findByRole('list', { name: 'Images' })
    fireEvent.paste(document.body, { clipboardData: { files: [pngOf('image.png')], types: ['Files'] } })
    expect((await (await dialog()).findByText(/^Pasted \d{4}-\d\d-\d\d/)).isConnected).toBe(true)
  })

  it('are text where text is pasted into a field with a picture of it', async () => {
    drawImages()
    const search = await screen.findByRole('searchbox', { name: 'Search images' })
    const clipboardData = { files: [pngOf('image.png')], types: ['text/plain', 'Files'] }
    expect(fireEvent.paste(search, { clipboardData })).toBe(true)
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('are chosen with the button', async () => {
    drawImages()
    await screen.findByRole('list', { name: 'Images' })
    await userEvent.upload(screen.getByLabelText('Choose images'), [pngOf('a.png'), pngOf('b.png')])
    const open = await dialog()
    await userEvent.click(open.getByRole('button', { name: 'Remove a.png' }))
    await userEvent.keyboard('{Escape}')
    await userEvent.click(await screen.findByRole('button', { name: 'Keep editing' }))
    expect(open.getByRole('button', { name: 'Upload 1 image' }).isConnected).toBe(true)
  })

  it('show where they can be dropped while they are dragged over the page', async () => {
    drawImages()
    await screen.findByRole('list', { name: 'Images' })
    fireEvent.dragOver(document.body, { dataTransfer: { types: ['text/uri-list'] } })
    expect(screen.queryByText('Drop images to upload them')).toBeNull()
    fireEvent.dragOver(document.body, { dataTransfer: { types: ['Files'] } })
    expect((await screen.findByText('Drop images to upload them')).isConnected).toBe(true)
    fireEvent.dragLeave(document.body, { relatedTarget: null })
    await expect.poll(() => screen.queryByText('Drop images to upload them')).toBeNull()
  })
})

describe('the uploads in the corner', () => {
  it('say of each how far it is', async () => {
    const { sent } = await uploaded('a.png', 'b.png', 'c.png', 'd.png')
    nth(sent, 0).onProgress(0.426)
    nth(sent, 1).onProgress(1)
    await expect
      .poll(lines)
      .toEqual(['a.png42% of 1 kB', 'b.pngProcessing', 'c.png0% of 1 kB', 'd.pngWaiting · 1 kB'])
    expect((await tray()).getByRole('status').textContent).toBe('Uploading, 0 of 4 done')
  })

  it('say what has become of each, and of all', async () => {
    const { sent, calls } = await uploaded('a.png', 'b.png', 'c.png')
    const lists = () => calls.filter(({ path }) => path === '/api/image/').length
    const before = lists()
    nth(sent, 0).end.resolve({ id: 11, name: 'a.png' })
    nth(sent, 1).end.resolve({ id: 5, name: 'banner.png', duplicate: true })
    nth(sent, 2).end.reject(
      new Problem({ code: 'invalid', status: 400, fields: { file: ['image_damaged'] } }),
    )
    await expect
      .poll(lines)
      .toEqual([
        'a.pngUploaded',
        'b.pngAlready here as banner.png',
        'c.pngThis image is damaged or incomplete.',
      ])
    expect((await tray()).getByRole('status').textContent).toBe('1 uploaded, 1 already here, 1 not uploaded')
    expect((await tray()).queryByRole('button', { name: /again/ })).toBeNull()
    expect((await tray()).getByRole('link', { name: 'b.png' }).getAttribute('href')).toMatch(
      /\/material\/image\?.*image=5/,
    )
    await expect.poll(lists).toBeGreaterThan(before)
  })

  it('try again what was refused for a reason that passes', async () => {
    const { sent } = await uploaded('a.png', 'b.png')
    for (const { end } of sent) end.reject(new Problem({ code: 'quota_files', status: 413 }))
    await expect
      .poll(async () => (await lines())[0])
      .toBe('a.pngThis storage is full. Delete images or files that are no longer used.')
    await userEvent.click((await tray()).getByRole('button', { name: 'Upload a.png again' }))
    await expect.poll(() => sent.length).toBe(3)
    nth(sent, 2).end.reject(new Problem({ code: 'scan_unavailable', status: 503 }))
    await userEvent.click(await (await tray()).findByRole('button', { name: 'Try 2 again' }))
    await expect.poll(() => sent.length).toBe(5)
  })

  it('are cancelled one by one, or together once somebody is sure', async () => {
    const { sent } = await uploaded('a.png', 'b.png')
    await userEvent.click((await tray()).getByRole('button', { name: 'Cancel a.png' }))
    expect(nth(sent, 0).signal.aborted).toBe(true)
    await expect.poll(async () => (await lines()).length).toBe(1)
    await userEvent.click((await tray()).getByRole('button', { name: 'Close uploads' }))
    const sure = within(await screen.findByRole('dialog', { name: 'Cancel the uploads?' }))
    await userEvent.click(sure.getByRole('button', { name: 'Cancel uploads' }))
    expect(nth(sent, 1).signal.aborted).toBe(true)
    await expect.poll(() => screen.queryByRole('region', { name: 'Uploads' })).toBeNull()
  })

  it('are folded away, and closed when they are over', async () => {
    const { sent } = await uploaded('a.png')
    await userEvent.click((await tray()).getByRole('button', { name: 'Collapse uploads' }))
    expect((await tray()).queryByRole('listitem')).toBeNull()
    await userEvent.click((await tray()).getByRole('button', { name: 'Expand uploads' }))
    nth(sent, 0).end.resolve({ id: 11, name: 'a.png' })
    await (await tray()).findByText(/^Uploaded/)
    await userEvent.click((await tray()).getByRole('button', { name: 'Close uploads' }))
    await expect.poll(() => screen.queryByRole('region', { name: 'Uploads' })).toBeNull()
  })

  it('end with the session, which nobody leaves unawares while something is under way', async () => {
    const { sent } = await uploaded('a.png', 'b.png', 'c.png', 'd.png')
    const signOut = vi.fn<() => void>(forgetTray)
    const question = () => screen.findByRole('dialog', { name: /Sign out and cancel them/ })
    act(() => leaveThen(signOut))
    await userEvent.click(within(await question()).getByRole('button', { name: 'Keep uploading' }))
    expect(signOut).not.toHaveBeenCalled()
    act(() => leaveThen(signOut))
    await userEvent.click(within(await question()).getByRole('button', { name: 'Sign out' }))
    expect(sent.map(({ signal }) => signal.aborted)).toEqual([true, true, true])
    await expect.poll(() => screen.queryByRole('region', { name: 'Uploads' })).toBeNull()
    act(() => leaveThen(signOut))
    expect(signOut).toHaveBeenCalledTimes(2)
  })

  it('are not sent in the name of somebody who has signed in meanwhile', async () => {
    const { sent } = await uploadedBy(8, 'a.png')
    await expect.poll(lines).toEqual(['a.pngPlease sign in.'])
    expect(sent).toEqual([])
  })

  it('warn who leaves the tab while something is under way', async () => {
    const { sent } = await uploaded('a.png')
    const leaving = () => !dispatchEvent(new Event('beforeunload', { cancelable: true }))
    expect(leaving()).toBe(true)
    nth(sent, 0).end.resolve({ id: 11, name: 'a.png' })
    await (await tray()).findByText(/^Uploaded/)
    expect(leaving()).toBe(false)
  })
})
