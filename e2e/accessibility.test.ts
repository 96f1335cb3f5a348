import { describe, expect, it } from 'vitest'
import { findBrokenWords, findOverflow, findProblems, type Rules } from './axe.ts'
import { enter, runsIn, type Look, openPage, changeLook } from './user-window.ts'
import { start } from './test-product.ts'

const started = start()
const pages = [
  '/',
  '/gs-template?p=0',
  '/gs-template?p=0&deleted=true',
  '/gs-template/template?id=1',
  '/gs-template/new',
  '/gs-template/template',
  '/gs-template/setting?id=9',
  '/gs-template/history?id=8',
  '/gs-template/history',
  '/gs-template/versions?id=8',
  '/sheets',
  '/profile',
  '/gs-template/care',
  '/setting/users',
  '/customer/advertiser',
  '/customer/advertiser/1',
  '/customer/advertiser/1?tab=data',
  '/customer/advertiser/1?tab=members',
  '/customer/advertiser/1?tab=accounts',
  '/customer/advertiser/1?tab=fees',
  '/customer/industry',
  '/customer/agent',
  '/customer/issuer',
  '/bm-management',
  '/ec-spend',
  '/ec-spend/2026-10',
  '/insight-setting',
  '/insight-setting?tab=conversions',
  '/insight-setting?tab=labels',
  '/insight-setting?tab=rates',
  '/lta-audience/audience-list',
  '/advertisement/target-audience',
  '/advertisement/target-audience?target_audience=1',
  '/material/site',
  '/material/site?site=1',
  '/material/media',
  '/material/media?publisher=1',
  '/material/image',
  '/material/image?layout=table',
  '/material/image?image=1',
  '/material/file',
  '/material/file?file=1',
  '/advertisement/create-link',
  '/mailbox',
  '/setting/public-account',
  '/setting/instructions',
  '/setting/operations',
  '/setting/audit',
  '/support',
  '/customer/insertion-order',
  '/customer/insertion-order/new',
  '/customer/insertion-order/payments',
  '/no-such-page',
]

/** Where rows need the most room: names, folders, channels and schedules beside each other. */
const crowded = [
  '/',
  '/gs-template?p=0&search=a',
  '/gs-template/new',
  '/gs-template/template?id=18',
  '/gs-template/history?id=18',
  '/setting/users',
  '/customer/advertiser',
  '/customer/advertiser/1',
  '/advertisement/target-audience',
  '/material/site',
  '/material/media',
]

const signedOut = ['/sign-in', '/expired', '/set-password#token=none']

type JudgedLook = Pick<Look, 'colorScheme' | 'width'> & { rules: Rules }
const first: JudgedLook = { colorScheme: 'light', width: 1440, rules: 'all' }

/**
 * A page is loaded for the first combination of theme and width; for the others both are changed on the open
 * page, which must cope. Colours are checked in both themes once, everything else at both widths; what does
 * not fit or is hard to hit each time.
 */
const looks: JudgedLook[] = [
  first,
  { colorScheme: 'dark', width: 768, rules: 'colours' },
  { colorScheme: 'dark', width: 320, rules: 'all but colours' },
  { colorScheme: 'light', width: 2560, rules: 'none' },
]

describe.each(['en', 'zh-TW'] as const)('every page in %s', language => {
  const isDrawn = (path: string) => runsIn(language, `the page ${path}`)

  it('passes the checks of WCAG 2.2 AA, fits, and can be hit; it has one first heading and a title of its own', async () => {
    const { context, page, api } = await enter(started, { ...first, language })
    const problems: string[] = []
    const titles = new Map<string, string>()
    const lookAround = async (path: string) => {
      await openPage(page, started.product.origin + path)
      titles.set(path, await page.title())
      for (const { rules, ...look } of looks) {
        await changeLook(page, look)
        const where = `${path} ${look.colorScheme}, ${look.width} px wide`
        problems.push(...(await findProblems(page, where, { rules })))
        const headings = await page.getByRole('heading', { level: 1 }).count()
        if (headings !== 1) problems.push(`${where} has ${headings} first headings`)
      }
      await changeLook(page, first)
    }
    for (const path of pages.filter(isDrawn)) await lookAround(path)
    const [sheet] = await api.get<{ id: string }[]>('/api/sheets/')
    if (isDrawn('/sheets/')) await lookAround(`/sheets/${sheet?.id}`)
    await context.clearCookies()
    for (const path of signedOut.filter(isDrawn)) await lookAround(path)
    await context.close()
    for (const [path, title] of titles)
      if (!/^.+ · Sheetcast$/.test(title)) problems.push(`${path} is titled ${title}`)
    problems.push(...sharedTitles(titles))
    expect(problems).toEqual([])
  })

  it('fits at any width for somebody with many reports, and breaks no word', async () => {
    const { context, page } = await enter(started, { ...first, language }, 'manager')
    const problems: string[] = []
    for (const path of crowded.filter(isDrawn)) {
      await openPage(page, started.product.origin + path)
      for (const width of [360, 768, 1280, 1920]) {
        await changeLook(page, { colorScheme: 'light', width })
        const found = [...(await findOverflow(page)), ...(await findBrokenWords(page))]
        problems.push(...found.map(problem => `${path}, ${width} px wide, ${problem}`))
      }
      await changeLook(page, first)
    }
    await context.close()
    expect(problems).toEqual([])
  })
})

/** Two addresses of one page: without the id of a report it is a new one. */
const SAME = ['/gs-template/template', '/gs-template/new'] as const

/** Titles of more than one page, whose tabs and filters are in the query. */
function sharedTitles(titles: ReadonlyMap<string, string>): string[] {
  const byTitle = Map.groupBy(titles.keys(), path => titles.get(path))
  return [...byTitle].flatMap(([title, paths]) => {
    const names = new Set(paths.map(path => (path === SAME[0] ? SAME[1] : path.replace(/[?#].*/, ''))))
    return names.size > 1 ? [`${[...names].join(' and ')} are titled ${title}`] : []
  })
}
