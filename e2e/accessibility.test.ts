import { describe, expect, it } from 'vitest'
import { findProblems, type Rules } from './axe.ts'
import { enter, type Look, lookAt, turnTo } from './visitor.ts'
import { start } from './visit.ts'

const started = start()
const pages = [
  '/',
  '/gs-template?p=0',
  '/gs-template?p=0&deleted=true',
  '/gs-template/template?id=1',
  '/gs-template/template',
  '/gs-template/setting?id=9',
  '/gs-template/history?id=8',
  '/gs-template/history',
  '/sheets',
  '/profile',
  '/gs-template/care',
  '/setting/users',
  '/mailbox',
  '/setting/public-account',
  '/setting/operations',
  '/setting/audit',
  '/support',
  '/no-such-page',
]

/**
 * Each language in both themes, each time at another width. A page is loaded for the first look; for the second one the person turns the
 * machine to the other theme and makes the window another size, as the page must bear. Colours are judged in both themes once, everything
 * else in both languages and on both ends of the width; what does not fit or is hard to hit each time.
 */
const looks: { language: Look['language']; first: Look & Judged; second: Look & Judged }[] = [
  {
    language: 'zh-TW',
    first: { language: 'zh-TW', colorScheme: 'light', width: 1440, rules: 'all' },
    second: { language: 'zh-TW', colorScheme: 'dark', width: 768, rules: 'colours' },
  },
  {
    language: 'en',
    first: { language: 'en', colorScheme: 'dark', width: 320, rules: 'all but colours' },
    second: { language: 'en', colorScheme: 'light', width: 2560, rules: 'none' },
  },
]
interface Judged {
  rules: Rules
}

describe.each(looks)('every page in $language', ({ first, second }) => {
  it(`passes the checks of WCAG 2.2 AA, fits, and can be hit: ${told(first)} and ${told(second)}; it has one first heading and a title of its own`, async () => {
    const { context, page, api } = await enter(started, first)
    const problems: string[] = []
    const titles = new Map<string, string>()
    const lookTwice = async (path: string) => {
      await lookAt(page, started.product.origin + path)
      titles.set(path, await page.title())
      for (const look of [first, second]) {
        await turnTo(page, look)
        const where = `${path} ${told(look)}`
        problems.push(...(await findProblems(page, where, { rules: look.rules })))
        const headings = await page.getByRole('heading', { level: 1 }).count()
        if (headings !== 1) problems.push(`${where} has ${headings} first headings`)
      }
      await turnTo(page, first)
    }
    const [sheet] = await api.get<{ id: string }[]>('/api/sheets/')
    for (const path of [...pages, `/sheets/${sheet?.id}`]) await lookTwice(path)
    await context.clearCookies()
    for (const path of ['/sign-in', '/expired', '/set-password#token=none']) await lookTwice(path)
    await context.close()
    for (const [path, title] of titles)
      if (!/^.+ · Sheetcast$/.test(title)) problems.push(`${path} is titled ${title}`)
    expect(problems).toEqual([])
    expect(new Set(titles.values()).size).toBeGreaterThan(titles.size - 4)
  })
})

function told({ colorScheme, width }: Look): string {
  return `${colorScheme}, ${width} px wide`
}
