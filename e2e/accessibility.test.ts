import { describe, expect, it } from 'vitest'
import { findProblems, findSmallTargets } from './axe.ts'
import { enter, type Look, lookAt } from './visitor.ts'
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
  '/support',
  '/no-such-page',
]

const looks: Look[] = [
  { language: 'zh-TW', colorScheme: 'light', width: 1440 },
  { language: 'en', colorScheme: 'dark', width: 320 },
]

describe.each(looks)('every page in $language, $colorScheme, $width px wide', look => {
  it('passes the checks of WCAG 2.2 AA, fits, and can be hit; it has one first heading and a title of its own', async () => {
    const { context, page, api } = await enter(started, look)
    const problems: string[] = []
    const titles = new Map<string, string>()
    const [sheet] = await api.get<{ id: string }[]>('/api/sheets/')
    for (const path of [...pages, `/sheets/${sheet?.id}`]) {
      await lookAt(page, started.product.origin + path)
      problems.push(...(await findProblems(page, path)))
      problems.push(...(await findSmallTargets(page)).map(target => `${path} ${target}`))
      const headings = await page.getByRole('heading', { level: 1 }).count()
      if (headings !== 1) problems.push(`${path} has ${headings} first headings`)
      titles.set(path, await page.title())
    }
    await context.clearCookies()
    for (const path of ['/sign-in', '/expired', '/set-password?token=none']) {
      await lookAt(page, started.product.origin + path)
      problems.push(...(await findProblems(page, path)))
      titles.set(path, await page.title())
    }
    await context.close()
    for (const [path, title] of titles)
      if (!/^.+ · Sheetcast$/.test(title)) problems.push(`${path} is titled ${title}`)
    expect(problems).toEqual([])
    expect(new Set(titles.values()).size).toBeGreaterThan(titles.size - 4)
  })
})
