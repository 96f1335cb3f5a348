// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Audience } from '#shared/api/audiences.ts'
import { Problem } from '#web/client/problem.ts'
import { drawHashing } from '#web/pages/audiences/testing/draw-audiences.tsx'
import { accountOf, audienceOf, uploadOf } from '#web/pages/audiences/testing/samples.ts'
import { listOf, type Call } from '#web/testing/fake-server.ts'
import { running } from './running.ts'
import { UploadDialog } from './upload-dialog.tsx'

afterEach(() => vi.restoreAllMocks())

const user = userEvent
const MEMBERS = 'POST /api/lta/5/members/'
const LIST = '電子郵件,手機,備註\nmary@example.com,0912-345-678,a\nMARY@example.com,0912345678,b\nnobody,,c\n'

async function opened(answers: Record<string, unknown> = {}, audience: Audience = audienceOf({ rows: 0 })) {
  const onClose = vi.fn<() => void>()
  const page = drawHashing(<UploadDialog audience={audience} onClose={onClose} />, {
    answers: {
      [MEMBERS]: { seq: 1, rows: 1, stored: 1 },
      'GET /api/lta/check-ad-account-permission': { result: 'ok', mode: 'home', fix_url: null },
      'GET /api/ad/account/': listOf([
        accountOf(),
        accountOf({ id: 8, name: 'Aurora LY', channel: 'yg', provider: 'ly_display' }),
      ]),
      'POST /api/lta/share-custom-audience': { shares: [{ ad_account: 1, share: 2, result: 'queued' }] },
      ...answers,
    },
  })
  await screen.findByRole('dialog', { name: 'Upload to Aurora VIP 2026' })
  return { ...page, onClose }
}

const choose = (text = LIST) => {
  const input = document.querySelector<HTMLInputElement>('input[type=file]')
  if (!input) throw new Error('no field')
  return user.upload(input, new File([text], 'list.csv', { type: 'text/csv' }))
}
const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name })
async function next() {
  await expect.poll(() => button('Next').disabled).toBe(false)
  await user.click(button('Next'))
}
const textOf = async (call: Call | undefined) => (call?.body instanceof Blob ? await call.body.text() : '')
const step = () => document.querySelector('[aria-current=step]')?.textContent
const count = (name: string) => screen.getByText(name).nextElementSibling?.textContent

/** Up to the accounts. */
async function prepared() {
  await choose()
  await next()
  await next()
  await screen.findByText('To be sent')
  await next()
  await user.type(screen.getByRole('textbox', { name: /How these people consented/ }), '!')
  await user.click(screen.getByRole('checkbox', { name: /I confirm/ }))
  await next()
}

describe('an upload', () => {
  it('goes from the file to the accounts, and sends hashes alone', async () => {
    const { calls } = await opened()
    expect(button('Next').disabled).toBe(true)
    await choose()
    const preview = within(await screen.findByRole('region', { name: /first rows/ }))
    expect(preview.getByText('0912-345-678').isConnected).toBe(true)
    await next()
    const role = (name: string) => screen.getByRole<HTMLInputElement>('combobox', { name })
    expect(role('電子郵件 is').value).toBe('E-mail')
    expect(role('手機 is').value).toBe('Phone')
    expect(role('備註 is').value).toBe('Not used')
    await next()
    await screen.findByText('To be sent')
    expect(
      ['Rows in the file', 'To be sent', 'Duplicates', 'E-mails that cannot be used'].map(count),
    ).toEqual(['3', '1', '1', '1'])
    await next()
    expect(button('Next').disabled).toBe(true)
    await user.clear(screen.getByRole('textbox', { name: /How these people consented/ }))
    await user.type(screen.getByRole('textbox', { name: /How these people consented/ }), 'Shop form')
    expect(button('Next').disabled).toBe(true)
    await user.click(screen.getByRole('checkbox', { name: /I confirm/ }))
    await next()
    await expect
      .poll(() => screen.queryByRole<HTMLInputElement>('checkbox', { name: /Aurora Meta/ })?.disabled)
      .toBe(false)
    await user.click(screen.getByRole('checkbox', { name: /Aurora Meta/ }))
    await user.click(button('Send'))
    expect(
      (await screen.findByText('People sent to Aurora VIP 2026: 1', { selector: 'p' })).isConnected,
    ).toBe(true)
    const posts = calls.filter(({ method }) => method === 'POST')
    expect(posts.map(({ path }) => path)).toEqual(['/api/lta/5/members/', '/api/lta/share-custom-audience'])
    expect(posts[1]?.body).toEqual({ audience: 5, ad_accounts: [1], auto_sync: true })
    const body = JSON.parse(await textOf(posts[0]))
    expect(body).toMatchObject({
      seq: 1,
      last: true,
      action: 'add',
      basis: 'Shop form',
      columns: ['email', 'email_google', 'phone', 'phone_e164'],
      counts: { valid: 1, duplicate: 1, bad_email: 1 },
    })
    expect(body.rows[0][2]).toBe('cf676475cec2ee7b7591f39bdefe7ef3dca63b14c1cdba3b19ce4219cbda2b09')
    expect(JSON.stringify([calls, body])).not.toMatch(/mary|0912/)
  })

  it('needs a column that identifies people', async () => {
    await opened()
    await choose()
    await next()
    for (const name of ['電子郵件 is', '手機 is']) {
      await user.click(screen.getByRole('combobox', { name }))
      await user.click(await screen.findByRole('option', { name: 'Not used' }))
    }
    expect(screen.getByText(/Choose the column with/).isConnected).toBe(true)
    expect(button('Next').disabled).toBe(true)
  })

  it('is not sent when there is nobody in it', async () => {
    await opened()
    await choose('email\nnobody\n')
    await next()
    await next()
    expect((await screen.findByText('There is nobody to send: see the counts.')).isConnected).toBe(true)
    expect(button('Next').disabled).toBe(true)
    await user.click(button('Back'))
    expect(step()).toBe('Columns')
  })

  it('says that a file cannot be read, and nothing of what is in it', async () => {
    await opened()
    await choose(`"mary@example.com${'x'.repeat(1_100_000)}`)
    const text = 'The file cannot be read as a table. Check separator and quotes.'
    expect((await screen.findByText(text)).isConnected).toBe(true)
  })

  it('saves rejected rows and hashed files on this computer', async () => {
    const saved: [name: string, content: Blob][] = []
    vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:x')
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(
      this: HTMLAnchorElement,
    ) {
      const [[content] = []] = vi.mocked(URL.createObjectURL).mock.calls.slice(-1)
      saved.push([this.download, content as Blob])
    })
    const { calls } = await opened()
    await choose()
    await next()
    await next()
    await user.click(await screen.findByRole('button', { name: 'Save rejected rows' }))
    await expect.poll(() => saved.map(([name]) => name)).toEqual(['list-rejected.csv'])
    expect(await saved[0]?.[1].text()).toContain('e-mail not usable,nobody,,c')
    await next()
    await user.click(screen.getByRole('checkbox', { name: /I confirm/ }))
    await next()
    await user.click(await screen.findByRole('button', { name: 'Save hashed phones' }))
    await expect.poll(() => saved.map(([name]) => name)).toContain('list-hashes.txt')
    expect(await saved[1]?.[1].text()).toBe(
      'cf676475cec2ee7b7591f39bdefe7ef3dca63b14c1cdba3b19ce4219cbda2b09\n',
    )
    expect(calls.some(({ method }) => method === 'POST')).toBe(false)
  })

  it('replaces the list where there is one and that is chosen', async () => {
    const { calls } = await opened({}, audienceOf({ rows: 10 }))
    await choose()
    await next()
    await next()
    await screen.findByText('To be sent')
    await next()
    await user.click(screen.getByRole('combobox', { name: 'What the file does' }))
    await user.click(await screen.findByRole('option', { name: 'Replace all people' }))
    await user.click(screen.getByRole('checkbox', { name: /I confirm/ }))
    await next()
    await user.click(button('Send'))
    await screen.findByText(/People sent to/, { selector: 'p' })
    const post = calls.find(({ method }) => method === 'POST')
    expect(JSON.parse(await textOf(post))).toMatchObject({
      action: 'replace',
      basis: 'Newsletter form',
    })
  })
})

describe('an upload that is under way', () => {
  it('stops at a refusal, warns before one leaves, and goes on', async () => {
    let isRefused = true
    const { onClose } = await opened({
      'GET /api/lta/5/uploads/': [uploadOf({ state: 'open', created_by: 8 })],
      [MEMBERS]: () =>
        isRefused ? new Problem({ code: 'upload_open', status: 409 }) : { seq: 1, rows: 1, stored: 1 },
    })
    await prepared()
    await user.click(button('Send'))
    expect((await screen.findByText(/Another upload to this audience/)).isConnected).toBe(true)
    const leaving = new Event('beforeunload', { cancelable: true })
    window.dispatchEvent(leaving)
    expect(leaving.defaultPrevented).toBe(true)
    isRefused = false
    await user.click(button('Go on'))
    await screen.findByText(/People sent to/, { selector: 'p' })
    const left = new Event('beforeunload', { cancelable: true })
    window.dispatchEvent(left)
    expect(left.defaultPrevented).toBe(false)
    await user.click(screen.getAllByRole('button', { name: 'Close' }).at(-1) ?? document.body)
    expect(onClose).toHaveBeenCalledOnce()
    expect(running.get()).toEqual([])
  })

  it('takes the place of an earlier one of the same person that broke off', async () => {
    const before = uploadOf({ state: 'open', created_by: 7 })
    const { calls } = await opened({
      'GET /api/lta/5/uploads/': [uploadOf({ state: 'open', created_by: 8 }), before],
      [MEMBERS]: ({ body }: { body: Blob }) =>
        body
          .text()
          .then(text =>
            JSON.parse(text).instead_of === before.session
              ? { seq: 1, rows: 1, stored: 1 }
              : Promise.reject(new Problem({ code: 'upload_open', status: 409 })),
          ),
    })
    await prepared()
    await user.click(button('Send'))
    await user.click(await screen.findByRole('button', { name: 'Drop it and send this file' }))
    await screen.findByText(/People sent to/, { selector: 'p' })
    expect(calls.filter(({ method }) => method === 'POST')).toHaveLength(2)
  })

  it('goes on when its dialog is closed, and can be stopped', async () => {
    let answer: (reply: unknown) => void = () => {}
    const { onClose } = await opened({ [MEMBERS]: () => new Promise(resolve => (answer = resolve)) })
    await prepared()
    await user.click(button('Send'))
    await screen.findByText(/Keep this tab open/)
    await user.click(screen.getAllByRole('button', { name: 'Close' }).at(-1) ?? document.body)
    expect(onClose).toHaveBeenCalledOnce()
    expect(running.get().map(({ state, total }) => [state, total])).toEqual([['sending', 1]])
    await user.click(button('Stop the upload'))
    answer({ seq: 1, rows: 1, stored: 1 })
    expect(running.get()).toEqual([])
  })
})
