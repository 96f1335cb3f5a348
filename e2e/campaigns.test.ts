import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { errorText } from '#shared/error-texts.ts'
import { errorsEn } from '#shared/errors-en.ts'
import { errorsZhTW } from '#shared/errors-zh-TW.ts'
import { drawn } from '#server/testing/random.ts'
import { filled } from './audience-page.ts'
import { expectUsable } from './axe.ts'
import { callerOf, signInAs, start } from './test-product.ts'
import { wordsOf } from './user-window.ts'

const started = start()

// An account manager links a campaign, one by one and twelve at once, and says whom it is for.

describe.each(drawn(['en', 'zh-TW'] as const, 2, 'campaigns'))('a campaign, in %s', language => {
  const { links: t, target_audiences: plans, app } = wordsOf(language)
  const texts = language === 'en' ? errorsEn : errorsZhTW
  const campaign = `launch_${language.toLowerCase()}`
  let page: Page
  let staff: Awaited<ReturnType<typeof callerOf>>

  const dialog = () => page.getByRole('dialog')
  const form = () => page.getByRole('region', { name: t.form.title, exact: true })
  const field = (label: string) => form().getByRole('textbox', { name: label, exact: true })
  const press = (scope: Pick<Page, 'getByRole'>, name: string) =>
    scope.getByRole('button', { name, exact: true }).click()
  const linksOf = async (search: string) => (await staff('GET', `/api/ad/?limit=100&search=${search}`)).body

  beforeAll(async () => {
    page = await signInAs(started, 'staff', language)
    staff = await callerOf(started, 'staff')
  })

  it('has a link that says what GA4 will count it as before it is made', async () => {
    await page.getByRole('link', { name: app.nav.links, exact: true }).click()
    await form().getByRole('combobox', { name: t.field.advertiser, exact: true }).click()
    await page.getByRole('option', { name: 'Aurora Cosmetics', exact: true }).click()
    await field(t.field.landing_url).fill('https://shop.aurora.demo/autumn?ref=hp&utm_source=old#top')
    await field(t.field.utm_source).fill('facebook')
    await field(t.field.utm_medium).fill('paid_social')
    await field(t.field.utm_campaign).fill(campaign)
    await form()
      .getByText(filled(t.ga4.counts, { channel: 'Paid Social' }))
      .waitFor()
    await expectUsable(page, 'the form of a link', language)
    await press(form(), t.form.submit)
    await page.getByText(filled(t.form.done, { name: `facebook · ${campaign}` })).waitFor()
    expect((await linksOf(campaign)).results).toMatchObject([
      {
        link: `https://shop.aurora.demo/autumn?ref=hp&utm_source=facebook&utm_medium=paid_social&utm_campaign=${campaign}#top`,
        ga4_channel: 'Paid Social',
      },
    ])
  })

  it('has a QR code', async () => {
    await press(form(), t.action.qr)
    await dialog().getByRole('heading', { name: t.qr.title }).waitFor()
    await dialog().getByRole('img').first().waitFor()
    await expectUsable(page, 'the QR code of a link', language)
    await page.keyboard.press('Escape')
    await dialog().waitFor({ state: 'detached' })
  })

  it('keeps people’s addresses out of analytics', async () => {
    await field(t.field.utm_campaign).fill('amy@mail.demo')
    await press(form(), t.form.submit)
    await form()
      .getByText(errorText(texts, 'personal_data', 'internal'))
      .first()
      .waitFor()
    expect((await linksOf('amy')).count).toBe(0)
  })

  it('has twelve links at once, and none of them twice', async () => {
    const rows = ['a', 'b', 'c'].flatMap(source =>
      ['1', '2', '3', '4'].map(content => ({
        advertiser: 1,
        landing_url: 'https://shop.aurora.demo/bulk',
        utm_source: source,
        utm_medium: 'email',
        utm_campaign: `bulk_${campaign}`,
        utm_content: content,
      })),
    )
    expect((await staff('POST', '/api/ad/bulk/?dry_run=true', { rows })).body).toMatchObject({
      create: 12,
      same: 0,
    })
    expect((await linksOf(`bulk_${campaign}`)).count).toBe(0)
    expect((await staff('POST', '/api/ad/bulk/', { rows })).body).toMatchObject({ create: 12, same: 0 })
    expect((await staff('POST', '/api/ad/bulk/', { rows })).body).toMatchObject({ create: 0, same: 12 })
    expect((await linksOf(`bulk_${campaign}`)).count).toBe(12)
  })

  it('says whom it is for, and what each platform makes of it', async () => {
    await page.getByRole('link', { name: app.nav.target_audiences, exact: true }).click()
    await page.getByRole('button', { name: '都會保養新手', exact: true }).click()
    await dialog().getByText('18–44', { exact: true }).first().waitFor()
    await dialog().getByText('20–39', { exact: true }).first().waitFor()
    await dialog()
      .getByText(filled(plans.ages.widened, { ages: '20–39' }))
      .first()
      .waitFor()
    await expectUsable(page, 'a target audience', language)
  })

  it('is not for clients to see', async () => {
    const client = await callerOf(started, 'client-a')
    for (const path of ['ad/', 'ad/preset/', 'targetaudience/', 'site/', 'publisher/', 'image/', 'file/'])
      expect((await client('GET', `/api/${path}`)).status).toBe(403)
  })
})
