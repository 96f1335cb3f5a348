import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ShareState } from '#shared/audiences.ts'
import { drawn } from '#server/testing/random.ts'
import { AUDIENCES, audiencePage, fileOf, filled, peopleFile } from './audience-page.ts'
import { expectUsable } from './axe.ts'
import { closeWindows, sharedBrowser } from './browser.ts'
import { canaries, storedBy, watchTraffic } from './canaries.ts'
import { control, type ProductProcess } from './product.ts'
import { startPreparedProcess } from './start-prepared.ts'
import { backupOf, tablesOf } from './stored.ts'
import { callerOf, signInAs } from './test-product.ts'

// A client brings a file to four platforms, and nobody but their browser sees what is in it.

const started = {} as { product: ProductProcess; browser: Browser }
beforeAll(async () => {
  const [product, browser] = await Promise.all([
    startPreparedProcess({ LOG_LEVEL: 'trace' }),
    sharedBrowser(),
  ])
  Object.assign(started, { product, browser })
  // People are matched at once.
  const at_once = { meta_filling_s: 0, data_manager_filling_s: 0, tiktok_fill_s: 0, line_fill_s: 0 }
  await control(product, 'limits', { body: at_once })
})
afterAll(async () => {
  await closeWindows(started.browser)
  await started.product?.stop()
})

const languages = drawn(['en', 'zh-TW'] as const, 2, 'audiences')
/** The size of any 5,000 people that follow each other, in the words of each platform. */
const sizes = {
  'Aurora Cosmetics Taiwan': '3400–3600',
  'Aurora Cosmetics Outlet': '3400–3600',
  'Aurora Cosmetics TW': '3000',
  'Aurora TikTok': '2500',
  'Aurora LINE': '4000',
}

describe.each(languages)('a customer file, in %s', language => {
  const name = `Customers ${language}`
  // Whom one language has erased, the other may not take.
  const from = language === 'en' ? 0 : 10_000
  let page: Page
  let audience: ReturnType<typeof audiencePage>

  beforeAll(async () => {
    page = await signInAs(started, 'client-a', language)
    audience = audiencePage(page, language)
    await page.goto(started.product.origin + AUDIENCES)
  })

  it('is made by a client, for the advertiser that they have', async () => {
    const { t, create, click, dialog } = audience
    const form = await create(name)
    const advertiser = form.getByRole('combobox', { name: t.field.advertiser, exact: true })
    await expect.poll(() => advertiser.inputValue()).toBe('Aurora Cosmetics')
    await expectUsable(page, 'the form of a new audience', language)
    await click(form, t.create_dialog.submit)
    await dialog(name).getByText(t.draft_detail).waitFor()
  })

  it('is counted and shared with the accounts that take it', async () => {
    const { t, count, counted, confirm, uploading, account, click } = audience
    await count(name, peopleFile(from, 5000))
    expect(await counted(name, 'valid').textContent()).toBe('5,000')
    await confirm(name)
    const box = (of: string) => account(uploading(name), of).getByRole('checkbox')
    for (const each of Object.keys(sizes)) await box(each).check()
    // Theirs is a login that may only read.
    await expect.poll(() => box('オーロラ化粧品 Japan').isDisabled()).toBe(true)
    await expectUsable(page, 'the accounts of an upload', language)
    await click(uploading(name), t.upload.send)
    await uploading(name)
      .getByText(filled(t.upload.done, { count: '5,000', name }))
      .waitFor()
    await uploading(name).getByRole('button', { name: t.upload.close, exact: true }).last().click()
  })

  it('becomes ready with as many people as each platform knows', async () => {
    const { t, tab, dialog } = audience
    await tab(name, 'shares')
    for (const [account, size] of Object.entries(sizes)) {
      const share = dialog(name).getByRole('article', { name: account, exact: true })
      await share.getByText(t.state.ready, { exact: true }).waitFor()
      await share.getByText(size, { exact: true }).waitFor()
    }
    await expectUsable(page, 'the shares of an audience', language)
    await page.keyboard.press('Escape')
    const row = page.getByRole('row', { name })
    await row.getByText(sizes['Aurora LINE'], { exact: true }).filter({ visible: true }).waitFor()
  })

  it('loses people who are erased, and never takes them again', async () => {
    const { t, erase, dialog, upload, uploading } = audience
    const form = await erase(`person.${from + 4}@mail.demo`)
    await form.getByText(t.erasing.outcome.done, { exact: true }).first().waitFor()
    await expectUsable(page, 'the outcome of an erasure', language)
    await page.keyboard.press('Escape')
    const row = page.getByRole('row', { name })
    await row.getByText('4,999', { exact: true }).first().waitFor()
    await row.getByRole('button', { name, exact: true }).click()
    await upload(name, peopleFile(from, 5000))
    await uploading(name)
      .getByText(filled(t.upload.done, { count: '5,000', name }))
      .waitFor()
    await page.keyboard.press('Escape')
    await dialog(name).getByText('4,999', { exact: true }).waitFor()
    await page.keyboard.press('Escape')
  })

  it('is read in the encoding and by the headings of its country', async () => {
    const { t, create, click, dialog, count, counted, uploading } = audience
    const files = `Files ${language}`
    await click(await create(files), t.create_dialog.submit)
    await count(
      files,
      fileOf(
        'big5.csv',
        encoded('big5', '姓名,電子郵件,手機,同意\n王小明,ming@mail.demo,0912-345-678,是\n李大同,,,否'),
      ),
    )
    expect(await counted(files, 'valid').textContent()).toBe('1')
    expect(await counted(files, 'no_consent').textContent()).toBe('1')
    await page.keyboard.press('Escape')
    await click(dialog(files), t.actions.upload)
    const field = uploading(files).locator('input[type=file]')
    const japanese = '氏名,メールアドレス,電話番号\nやまだ,taro@mail.demo,090-1234-5678'
    await field.setInputFiles(fileOf('sjis.csv', encoded('shift_jis', japanese)))
    await uploading(files).getByRole('columnheader', { name: 'メールアドレス' }).waitFor()
    await expectUsable(page, 'the preview of a file', language)
    // A workbook by the name of a table.
    await field.setInputFiles(fileOf('workbook.csv', Uint8Array.of(0x50, 0x4b, 3, 4, 0, 0)))
    await uploading(files).getByText(t.upload.not_text).waitFor()
    const next = uploading(files).getByRole('button', { name: t.upload.next, exact: true })
    expect(await next.isDisabled()).toBe(true)
    await page.keyboard.press('Escape')
  })

  it('is begun again after the page was left before all of it was sent', async () => {
    const { t, upload, uploading, click, dialog } = audience
    const files = `Files ${language}`
    let sent = 0
    // The second batch of two does not arrive. The route stays: Chromium may lose what it is loading when the
    // last one goes.
    await page.route(/\/members\//, route => (++sent === 2 ? undefined : route.continue()))
    await upload(files, peopleFile(from, 10_001))
    await expect.poll(() => sent).toBe(2)
    await page.reload()
    await upload(files, peopleFile(from, 10_001))
    await uploading(files).getByText(t.upload.broken_off).waitFor()
    await expectUsable(page, 'an upload after one that broke off', language)
    await click(uploading(files), t.upload.start_over)
    await uploading(files)
      .getByText(filled(t.upload.done, { count: '10,001', name: files }))
      .waitFor()
    await page.keyboard.press('Escape')
    // One of them has been erased.
    await dialog(files).getByText('10,000', { exact: true }).waitFor()
  })
})

/** A text in an encoding that only browsers read: found by reading every character of two bytes. */
function encoded(encoding: 'big5' | 'shift_jis', text: string): Uint8Array {
  const decoder = new TextDecoder(encoding)
  const bytes = new Map<string, number[]>()
  for (let one = 0; one < 0x80; one++) bytes.set(String.fromCharCode(one), [one])
  for (let lead = 0x81; lead < 0xff; lead++)
    for (let trail = 0x40; trail < 0xff; trail++) {
      const character = decoder.decode(Uint8Array.of(lead, trail))
      if (character.length === 1 && !bytes.has(character)) bytes.set(character, [lead, trail])
    }
  return Uint8Array.from([...text].flatMap(character => bytes.get(character) ?? []))
}

describe('an account whose terms nobody has accepted', () => {
  it('takes the audience once they are accepted at the platform, and checked again', async () => {
    const page = await signInAs(started, 'staff', 'zh-TW')
    const { t, dialog, click, account, tab } = audiencePage(page, 'zh-TW')
    // Of the demo, with one share that these terms have refused.
    const api = await callerOf(started, 'staff')
    const { body } = await api('GET', '/api/lta/?search=Delta')
    const [{ id, name }] = body.results
    await page.goto(`${started.product.origin}${AUDIENCES}?audience=${id}`)
    await tab(name, 'shares')
    const share = dialog(name).getByRole('article', { name: 'Delta Fitness 台灣' })
    await share.getByText(t.state.failed, { exact: true }).waitFor()
    const [terms] = await Promise.all([
      page.waitForEvent('popup'),
      share.getByRole('link', { name: t.accounts.fix.terms_not_accepted }).click(),
    ])
    await terms.getByRole('button', { name: 'Accept' }).click()
    await terms.getByText(/are accepted/).waitFor()
    await terms.close()
    await click(share, t.shares.retry)
    await share.getByText(/就緒|受眾過小/).waitFor()
    await click(dialog(name), t.actions.share)
    const again = account(dialog(filled(t.share_dialog.title, { name })), 'Delta Fitness 台灣')
    await again.getByText(t.accounts.shared).waitFor()
  })
})

describe('a client of the plan Basic', () => {
  it('reads the audiences of their advertiser, and changes none', async () => {
    const page = await signInAs(started, 'client-b', 'en')
    const { t } = audiencePage(page, 'en')
    await page.goto(started.product.origin + AUDIENCES)
    await page.getByText(t.only_read).waitFor()
    const [first] = await page.getByRole('row', { name: /Borealis/ }).all()
    expect(first).toBeDefined()
    for (const label of [t.create, t.erase])
      expect(await page.getByRole('button', { name: label }).count()).toBe(0)
    const api = await callerOf(started, 'client-b')
    const own = (await api('GET', '/api/lta/')).body.results
    const body = { advertiser: own[0].advertiser, kind: 'customer_file', name: 'Mine' }
    expect((await api('POST', '/api/lta/', body)).status).toBe(403)
    const theirs = (await (await callerOf(started, 'client-a'))('GET', '/api/lta/')).body.results
    expect((await api('GET', `/api/lta/${theirs[0].id}/`)).status).toBe(404)
  })
})

describe('the people in a file', () => {
  it('stand nowhere but on the computer of the person who uploads them', async () => {
    const page = await signInAs(started, 'client-a', 'en')
    const { sent, received } = await watchTraffic(page)
    await page.goto(started.product.origin + AUDIENCES)
    const people = canaries(30)
    await bringToPlatforms(page, people)
    await erase(page, people)
    received.push(...(await readEverything()))

    const hashed = sent.filter(({ body }) => people.some(({ hashes }) => body.includes(hashes[0] ?? '')))
    const paths = hashed.map(({ url }) => new URL(url).pathname.split('/').at(-2))
    expect(new Set(paths)).toEqual(new Set(['members', 'erase']))
    const sandbox = ['requests', 'journal'].map(path => control(started.product, path, { method: 'GET' }))
    const sources = {
      tables: await tablesOf(started.product),
      backup: backupOf(started.product),
      log: started.product.output(),
      responses: received.join('\n'),
      'log of the platforms': JSON.stringify(await Promise.all(sandbox)),
      browser: await storedBy(page),
    }
    const found = Object.entries(sources).flatMap(([source, text]) =>
      people.flatMap(({ clear, hashes }) => [
        ...clear.filter(value => text.includes(value)).map(() => `a clear value in the ${source}`),
        ...hashes.filter(value => text.includes(value)).map(() => `a hash in the ${source}`),
      ]),
    )
    for (const { url, body } of sent)
      if (people.some(({ clear }) => clear.some(value => (url + body).includes(value))))
        found.push(`a clear value sent to ${url}`)
    expect(found).toEqual([])
    for (const text of Object.values(sources)) expect(text.length).toBeGreaterThan(1000)
  })

  type People = ReturnType<typeof canaries>
  const name = 'Canaries'

  async function bringToPlatforms(page: Page, people: People) {
    const { t, create, click, count, counted, confirm, account, uploading } = audiencePage(page, 'en')
    await click(await create(name), t.create_dialog.submit)
    // One whose e-mail address and phone number cannot be used.
    const [{ email = '', phone = '' } = {}] = people
    const rows = [...people.map(each => `${each.email},${each.phone}`), `@${email},${phone}99`]
    await count(name, fileOf('canaries.csv', ['email,phone', ...rows].join('\n')))
    expect(await counted(name, 'valid').textContent()).toBe('30')
    await confirm(name)
    for (const each of Object.keys(sizes)) await account(uploading(name), each).getByRole('checkbox').check()
    await click(uploading(name), t.upload.send)
    await uploading(name)
      .getByText(filled(t.upload.done, { count: '30', name }))
      .waitFor()
    await page.keyboard.press('Escape')
    const api = await callerOf(started, 'client-a')
    const onTheirWay = async () => {
      const { body } = await api('GET', `/api/lta/?search=${name}`)
      const states = body.results[0].shares.map(({ state }: { state: ShareState }) => state)
      return states.filter((state: ShareState) => ['queued', 'creating', 'uploading'].includes(state))
    }
    await expect.poll(onTheirWay).toEqual([])
    await page.keyboard.press('Escape')
  }

  async function erase(page: Page, [person]: People) {
    const { t, erase: open } = audiencePage(page, 'en')
    const form = await open(person?.email ?? '')
    await form.getByText(t.erasing.outcome.done, { exact: true }).first().waitFor()
    await page.keyboard.press('Escape')
  }

  /** What others may read of it, and what the API says to clear values. */
  async function readEverything() {
    const [client, superuser] = [await callerOf(started, 'client-a'), await callerOf(started, 'superuser')]
    const { body: list } = await client('GET', `/api/lta/?search=${name}`)
    const [{ id }] = list.results
    const [person] = canaries(1)
    const clear = { session: crypto.randomUUID(), seq: 1, last: true, action: 'add', columns: ['email'] }
    const refused = await client('POST', `/api/lta/${id}/members/`, { ...clear, rows: [[person?.email]] })
    expect(refused.status).toBe(400)
    const answers = [
      list,
      refused.body,
      (await client('GET', `/api/lta/${id}/uploads/`)).body,
      (await client('GET', `/api/lta/${id}/history/`)).body,
      (await superuser('GET', '/api/audit/?limit=100')).body,
      (await superuser('GET', '/api/notifications/')).body,
    ]
    return answers.map(answer => JSON.stringify(answer))
  }
})
