import { createHash } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Manifest } from 'vite'
import { languages, type Language } from '../src/shared/language.ts'

// Which files each address needs before it can be drawn. The server names them in the page itself
// (server/http/web.ts), so that a browser requests all of them at once rather than discovering them one by
// one.

/**
 * By address, in the router's form, the modules that it loads for it; `*` is what every other address behind
 * the sign-in needs.
 */
export const pages: Record<string, readonly string[]> = {
  '/sign-in': ['pages/sign-in/sign-in.tsx'],
  '/expired': ['pages/expired/expired.tsx'],
  '/set-password': ['pages/set-password/set-password.tsx'],
  '/second-factor': ['app/inner-pages.ts', 'pages/second-factor/required-page.tsx'],
  '/oauth/callback': ['app/inner-pages.ts', 'pages/public-accounts/connect-callback.tsx'],
  '/': ['app/shell.tsx', 'pages/overview/overview.tsx'],
  '*': inner(),
  '/gs-template': inner('pages/reports/list/prefetch.ts', 'pages/reports/report-list.tsx'),
  '/gs-template/template': inner('pages/reports/report-editor.tsx'),
  '/gs-template/new': inner('pages/reports/new/new-report.tsx'),
  '/gs-template/versions': inner('pages/reports/versions/report-versions.tsx'),
  '/gs-template/setting': inner('pages/reports/permission-settings.tsx'),
  '/gs-template/history': inner('pages/reports/run-history.tsx'),
  '/gs-template/care': inner('pages/reports/bulk-changes/bulk-changes-page.tsx'),
  '/sheets': inner('pages/sheets/sheet-list.tsx'),
  '/sheets/$id': inner('pages/sheets/sheet.tsx'),
  '/profile': inner('pages/profile/profile.tsx'),
  '/customer/advertiser': inner('pages/customers/advertisers/advertisers.tsx'),
  '/customer/advertiser/$id': inner('pages/customers/advertiser/advertiser-page.tsx'),
  '/customer/industry': inner('pages/customers/industries.tsx'),
  '/customer/agent': inner('pages/customers/agents.tsx'),
  '/customer/issuer': inner('pages/customers/issuer/issuer-page.tsx'),
  '/advertisement/target-audience': inner('pages/target-audiences/target-audiences.tsx'),
  '/advertisement/create-link': inner('pages/links/links.tsx'),
  '/material/site': inner('pages/materials/sites/sites.tsx'),
  '/material/media': inner('pages/materials/publishers/publishers.tsx'),
  '/material/image': inner('pages/materials/images/images.tsx'),
  '/material/file': inner('pages/materials/files/files.tsx'),
  '/setting/users': inner('pages/users/users.tsx'),
  '/setting/public-account': inner('pages/public-accounts/public-accounts.tsx'),
  '/setting/operations': inner('pages/operations/operations.tsx'),
  '/setting/audit': inner('pages/audit/audit.tsx'),
  '/setting/instructions': inner('pages/instructions/instructions.tsx'),
  '/customer/insertion-order': inner('pages/orders/orders.tsx'),
  '/customer/insertion-order/new': inner('pages/orders/new-order.tsx'),
  '/customer/insertion-order/$id': inner('pages/orders/order/order-page.tsx'),
  '/customer/insertion-order/$id/edit': inner('pages/orders/edit-order.tsx'),
  '/customer/insertion-order/payments': inner('pages/payments/payments.tsx'),
  '/support': inner('pages/support/support.tsx'),
  '/bm-management': inner('pages/businesses/businesses.tsx'),
  '/ec-spend': inner('pages/ec-spend/ec-spend.tsx'),
  '/ec-spend/$month': inner('pages/ec-spend/month/month-page.tsx'),
  '/insight-setting': inner('pages/insight-settings/insight-settings.tsx'),
  '/lta-audience/audience-list': inner('pages/audiences/list-query.ts', 'pages/audiences/audiences.tsx'),
  '/mailbox': inner('pages/mailbox/mailbox.tsx'),
}

/** The page whose parts the server draws though browsers load their code later (visit/lazy.ts). */
const PAGE_WITH_PARTS = '/'
export const parts = ['pages/overview/client-reports.tsx', 'pages/overview/first-steps.tsx']

/** A page behind the first ones. */
function inner(...modules: string[]) {
  return ['app/shell.tsx', 'app/inner-pages.ts', ...modules]
}

/** Texts come in the language that was last used here. */
function textsOf(modules: readonly string[], language: Language) {
  const texts = [`i18n/${language}-first.ts`]
  if (modules.includes('app/shell.tsx')) texts.push(`../shared/errors-${language}.ts`)
  if (modules.includes('app/inner-pages.ts')) texts.push(`i18n/${language}.ts`)
  if (
    modules.some(module =>
      /^pages\/(audiences|audit|businesses|customers|ec-spend|insight-settings|links|materials|orders|payments|public-accounts|target-audiences|users)\//.test(
        module,
      ),
    )
  )
    texts.push(`i18n/${language}-business.ts`)
  if (modules.some(module => /report-(editor|versions)\.tsx$/.test(module)))
    texts.push(`i18n/${language}/editing.ts`)
  return texts
}

/**
 * Writes pages.json into the folder of a build, instead of vite's manifest: by address its one style sheet,
 * and by language its files beside those of index.html; the script of pages that the server draws, and what
 * their parts have beside the page.
 */
export async function writePageFiles(folder: string): Promise<void> {
  const manifest: Manifest = JSON.parse(await readFile(join(folder, '.vite/manifest.json'), 'utf8'))
  const named = filesOf(manifest, ['index.html'])
  const ahead = (modules: readonly string[], known: readonly string[]) =>
    filesOf(manifest, modules).filter(file => !known.includes(file))
  const byAddress = Object.entries(pages).map(async ([address, modules]) => [
    address,
    {
      style: await writeStyle(folder, [...named, ...ahead(modules, named)]),
      ...Object.fromEntries(
        languages.map(language => [language, ahead([...modules, ...textsOf(modules, language)], named)]),
      ),
    },
  ])
  const onPage = filesOf(manifest, ['index.html', ...(pages[PAGE_WITH_PARTS] ?? [])])
  const byPart = parts.map(async part => {
    const files = ahead([part], onPage).filter(isStyle)
    return [part, { style: await writeStyle(folder, files), files }]
  })
  const files = {
    first_paint: `/${manifest['first-paint.ts']?.file}`,
    pages: Object.fromEntries(await Promise.all(byAddress)),
    parts: Object.fromEntries(await Promise.all(byPart)),
  }
  await writeFile(join(folder, 'pages.json'), JSON.stringify(files))
  await rm(join(folder, '.vite'), { recursive: true })
}

/**
 * All styles among the files in one file: a browser with an empty cache paints only once it has every style
 * sheet, and each is a request of its own. null: there are none.
 */
async function writeStyle(folder: string, files: readonly string[]): Promise<string | null> {
  const styles = files.filter(isStyle)
  if (styles.length === 0) return null
  const texts = await Promise.all(styles.map(file => readFile(join(folder, file), 'utf8')))
  const text = texts.join('')
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 16)
  const path = `/assets/page-${hash}.css`
  await writeFile(join(folder, path), text)
  return path
}

const isStyle = (file: string) => file.endsWith('.css')

/** What the modules are made of, each file once, and before it what it imports. */
function filesOf(manifest: Manifest, modules: readonly string[]): string[] {
  const files = new Set<string>()
  const walked = new Set<string>()
  const walk = (name: string) => {
    if (walked.has(name)) return
    walked.add(name)
    const chunk = manifest[name]
    if (!chunk) throw new Error(`the interface has no ${name}`)
    for (const imported of chunk.imports ?? []) walk(imported)
    for (const file of [...(chunk.css ?? []), chunk.file]) files.add(`/${file}`)
  }
  for (const module of modules) walk(module)
  return [...files]
}
