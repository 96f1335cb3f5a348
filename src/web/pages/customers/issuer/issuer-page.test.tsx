// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import type { Issuer } from '#shared/api/customers.ts'
import { Problem } from '#web/client/problem.ts'
import { drawAt } from '#web/testing/draw-for.tsx'
import { changesIn, serve } from '#web/testing/fake-server.ts'
import { IssuerPage } from './issuer-page.tsx'

const ISSUER = '/api/ad_insertion/issuer/'
const user = userEvent
const ours: Issuer = {
  name: 'Sheetcast',
  tax_id: '04595252',
  jp_tax_id: '',
  address: 'Taipei',
  phone: '',
  bank: '',
  terms: { en: 'Terms', 'zh-TW': '條款' },
  base_currency: 'TWD',
  valid_days: 14,
  logo: null,
  version: 3,
  last_modified_at: '2026-11-01T08:00:00.000Z',
}
const png = 'iVBORw0KGgoAAAAA'
const url = `data:image/png;base64,${png}`

/** The page as it is read, where each change is answered by the next of these. */
async function drawn(answers: unknown[] = [], issuer = ours) {
  const calls = serve({ [`GET ${ISSUER}`]: issuer, [`PATCH ${ISSUER}`]: () => answers.shift() })
  drawAt(<IssuerPage />, { path: '/customer/issuer' }, { identity: 'director' })
  await screen.findByRole('button', { name: 'Save' })
  return () => changesIn(calls).map(({ body }) => body)
}
const box = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name })
const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name })
const retype = async (name: string, text: string) => {
  await user.clear(box(name))
  await user.type(box(name), text)
}
const refusal = (fields: Problem['fields']) => new Problem({ code: 'invalid', status: 400, fields })

describe('the agency on its documents', () => {
  it('is sent as far as it has changed', async () => {
    const changes = await drawn([{ ...ours, version: 4, phone: '+886 2 1234 5678', valid_days: 30 }])
    expect(button('Save').disabled).toBe(true)
    await user.type(box('Phone'), '+886 2 1234 5678')
    await retype('Days that a quotation is valid', '30')
    await user.click(button('Save'))
    await expect.poll(changes).toEqual([{ phone: '+886 2 1234 5678', valid_days: 30, version: 3 }])
    await expect.poll(() => button('Save').disabled).toBe(true)
  })

  it('has its terms in both languages as one value', async () => {
    const changes = await drawn([{ ...ours, version: 4, terms: { en: '', 'zh-TW': '條款' } }])
    await user.clear(box('Terms in English'))
    await user.click(button('Save'))
    await expect.poll(changes).toEqual([{ terms: { en: '', 'zh-TW': '條款' }, version: 3 }])
  })

  it('is checked as it is typed, and not sent while an id or the days are wrong', async () => {
    const changes = await drawn()
    await retype('Tax ID (Taiwan)', '04595253')
    const wrong = 'This tax ID has a typing error: its check digit does not match.'
    expect(screen.getByText(wrong).textContent).toBe(wrong)
    await user.click(button('Save'))
    await retype('Tax ID (Taiwan)', '04595252')
    await user.type(box('Registration number (Japan)'), 't7000012050003')
    expect(screen.getByText(wrong).textContent).toBe(wrong)
    await user.click(button('Save'))
    await user.clear(box('Registration number (Japan)'))
    await retype('Days that a quotation is valid', '366')
    expect(screen.getByText('Enter 1 to 365 days.').textContent).toBe('Enter 1 to 365 days.')
    await user.click(button('Save'))
    expect(changes()).toEqual([])
  })

  it('sends the number of Japan in upper case', async () => {
    const changes = await drawn([{ ...ours, version: 4, jp_tax_id: 'T7000012050002' }])
    await user.type(box('Registration number (Japan)'), 't7000012050002')
    await user.click(button('Save'))
    await expect.poll(changes).toEqual([{ jp_tax_id: 'T7000012050002', version: 3 }])
  })

  it('is as it was again when the changes are discarded', async () => {
    await drawn()
    await user.type(box('Name'), ' Inc.')
    await user.click(button('Discard changes'))
    expect(box('Name').value).toBe('Sheetcast')
    expect(screen.queryByRole('button', { name: 'Discard changes' })).toBeNull()
  })

  it.each([
    'name',
    'tax_id',
    'jp_tax_id',
    'address',
    'phone',
    'bank',
    'terms.en',
    'terms.zh-TW',
    'valid_days',
  ])('has a place for what the server says of %s', async field => {
    await drawn([refusal({ [field]: ['field_invalid'] })])
    await user.type(box('Name'), ' Inc.')
    await user.click(button('Save'))
    const said = await screen.findAllByText('This value is not valid.')
    expect(said).toHaveLength(1)
  })

  it('keeps a base currency in which there are amounts', async () => {
    await drawn([refusal({ base_currency: ['base_currency_used'] })])
    await user.click(screen.getByRole('combobox', { name: 'Base currency' }))
    await user.click(await screen.findByRole('option', { name: 'JPY Japanese Yen' }))
    await user.click(button('Save'))
    const why = 'Exchange rates or locked months are in this currency, so it can no longer be changed.'
    expect((await screen.findByText(why)).textContent).toBe(why)
  })

  it('can be asked for again after a failure', async () => {
    const answers: unknown[] = [new Problem({ code: 'forbidden', status: 403 }), ours]
    serve({ [`GET ${ISSUER}`]: () => answers.shift() })
    drawAt(<IssuerPage />, { path: '/customer/issuer' }, { identity: 'director' })
    await user.click(await screen.findByRole('button', { name: 'Try again' }))
    await screen.findByRole('button', { name: 'Save' })
    expect(box('Name').value).toBe('Sheetcast')
  })
})

describe('the logo', () => {
  const choose = async (file: File) => {
    const input = document.querySelector<HTMLInputElement>('input[type=file]')
    if (input) await userEvent.setup({ applyAccept: false }).upload(input, file)
  }

  it('is shown and sent as a data URL by its content', async () => {
    const changes = await drawn([{ ...ours, version: 4, logo: url }])
    await choose(new File([Buffer.from(png, 'base64')], 'logo.jpg', { type: 'image/jpeg' }))
    expect((await screen.findByRole('img', { name: 'The logo' })).getAttribute('src')).toBe(url)
    await user.click(button('Save'))
    await expect.poll(changes).toEqual([{ logo: url, version: 3 }])
  })

  it('is removed', async () => {
    const changes = await drawn([{ ...ours, version: 4 }], { ...ours, logo: url })
    await user.click(button('Remove logo'))
    expect(screen.queryByRole('img', { name: 'The logo' })).toBeNull()
    await user.click(button('Save'))
    await expect.poll(changes).toEqual([{ logo: null, version: 3 }])
  })

  it('is no GIF and not too large', async () => {
    await drawn()
    await choose(new File(['GIF89a\u0001\u0000\u0001\u0000'], 'logo.gif', { type: 'image/gif' }))
    await screen.findByText('“logo.gif” is not a supported file type.')
    const large = [Buffer.from(png, 'base64'), Buffer.alloc(524_288)]
    await choose(new File(large, 'large.png', { type: 'image/png' }))
    await screen.findByText(/large\.png.*512/)
    expect(screen.queryByRole('img', { name: 'The logo' })).toBeNull()
  })

  it('names its own limits when the server refuses it', async () => {
    await drawn([refusal({ logo: ['image_too_large'] })], { ...ours, logo: url })
    await user.type(box('Name'), ' Inc.')
    await user.click(button('Save'))
    const limits = 'Use a PNG or JPEG of at most 512 kB and 4 million pixels.'
    expect((await screen.findByText(limits)).textContent).toBe(limits)
  })
})

describe('two who change it at once', () => {
  const newer = { ...ours, version: 4, address: 'Kaohsiung', terms: { en: 'Theirs', 'zh-TW': '條款' } }
  const conflict = () => new Problem({ code: 'conflict', status: 409, body: { issuer: newer } })

  it('keep both changes, language by language', async () => {
    const changes = await drawn([conflict(), { ...newer, version: 5 }])
    await retype('Terms in Chinese', '新')
    await user.click(button('Save'))
    await screen.findByText('They changed: Address, Terms in English.')
    expect(button('Save').disabled).toBe(true)
    await user.click(button('Keep my changes too'))
    await user.click(button('Save'))
    await expect.poll(changes).toEqual([
      { terms: { en: 'Terms', 'zh-TW': '新' }, version: 3 },
      { terms: { en: 'Theirs', 'zh-TW': '新' }, version: 4 },
    ])
  })

  it('can take theirs alone', async () => {
    await drawn([conflict()])
    await retype('Address', 'Mine')
    await user.click(button('Save'))
    await user.click(await screen.findByRole('button', { name: 'Discard mine' }))
    expect(box('Address').value).toBe('Kaohsiung')
  })
})
