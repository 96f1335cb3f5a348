import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { ROOT_ELEMENT } from '#shared/drawn-page.ts'
import { languages, type Language } from '#shared/language.ts'
import { LANGUAGE_COOKIE, sessionCookies } from '#shared/session-cookies.ts'
import { PAGE_POLICY } from './headers.ts'

/** One address's page in one language. */
export interface Page {
  /** The browser draws it. */
  plain: string
  /** The server draws it: what is before and after the element that it draws in. */
  drawn: readonly [before: string, after: string]
  /** Of a page that has none of its own. */
  title: string
  /** What names the styles of a part that is drawn as well. */
  parts: Readonly<Record<string, string>>
}

/** By address in the router's form, `*` for any other behind the sign-in, and by language. */
export type Pages = Record<string, Record<Language, Page>>

/** Of a build (scripts/page-files.ts). */
const PageFiles = z.object({
  /** The script of pages that the server draws. */
  first_paint: z.string(),
  /** By address: all its styles in one file, and by language its files beyond those of every page. */
  pages: z.record(
    z.string(),
    z.object({ style: z.string().nullable(), en: z.array(z.string()), 'zh-TW': z.array(z.string()) }),
  ),
  /** By part, its styles beyond those of its page, in one file and each by itself. */
  parts: z.record(z.string(), z.object({ style: z.string().nullable(), files: z.array(z.string()) })),
})
type Style = string | null

/** null: the interface is not built. */
export async function readPages(webDir: string): Promise<Pages | null> {
  const path = join(webDir, 'index.html')
  if (!existsSync(path)) return null
  const html = await readFile(path, 'utf8')
  const files = PageFiles.parse(JSON.parse(await readFile(join(webDir, 'pages.json'), 'utf8')))
  const parts = Object.fromEntries(
    Object.entries(files.parts).map(([part, { style, files: styles }]) => [part, stylesOf(style, styles)]),
  )
  const pageOf = (page: string, style: Style, names: readonly string[]): Page => {
    const own = [...page.matchAll(STYLE)].map(([, file = '']) => file)
    const styled = page
      .replaceAll(STYLE, '')
      .replace('</head>', `${stylesOf(style, [...own, ...names])}</head>`)
    return {
      plain: naming(styled, names),
      drawn: painting(styled, names, files.first_paint),
      title: TITLE.exec(page)?.[0] ?? '',
      parts,
    }
  }
  const chinese = html.replace('lang="en"', 'lang="zh-Hant-TW"')
  return Object.fromEntries(
    Object.entries(files.pages).map(([address, { style, en, 'zh-TW': zhTW }]) => [
      address,
      { en: pageOf(html, style, en), 'zh-TW': pageOf(chinese, style, zhTW) },
    ]),
  )
}

/**
 * The page with preload links for the files that its scripts will import, so that the browser need not
 * discover each by the one before.
 */
function naming(html: string, files: readonly string[]): string {
  const scripts = files.filter(isScript).map(file => `<link rel="modulepreload" crossorigin href="${file}">`)
  return html.replace('</head>', `${scripts.join('')}</head>`)
}

/**
 * The page as one that is painted before any script of it is loaded: they would take the line from its
 * styles. `first_paint` loads them afterwards (web/first-paint.ts).
 */
function painting(html: string, files: readonly string[], firstPaint: string): Page['drawn'] {
  const main = SCRIPT.exec(html)?.[1] ?? ''
  const preloaded = [...html.matchAll(PRELOAD)].map(([, file = '']) => file)
  const later = [...preloaded, ...files.filter(isScript)].join(' ')
  const script = `<script async src="${firstPaint}" data-main="${main}" data-files="${later}"></script>`
  const page = html
    .replace(SCRIPT, '')
    .replace(TITLE, '')
    .replaceAll(PRELOAD, '')
    .replace('</head>', `${script}</head>`)
  const [before = '', after = ''] = page.split(ROOT)
  return [before, after]
}

const SCRIPT = /<script type="module"[^>]* src="([^"]+)"><\/script>/
const PRELOAD = /<link rel="modulepreload"[^>]* href="([^"]+)">/g
const STYLE = /<link rel="stylesheet"[^>]* href="([^"]+)">/g
const TITLE = /<title>.*?<\/title>/
const ROOT = rootWith('')

export function rootWith(markup: string): string {
  return `<div id="${ROOT_ELEMENT}">${markup}</div>`
}

const isScript = (file: string) => !file.endsWith('.css')

/** One style sheet with the names of its parts, which scripts need not load (app/drawn-styles.ts). */
const stylesOf = (style: Style, files: readonly string[]) =>
  style === null
    ? ''
    : `<link rel="stylesheet" crossorigin href="${style}" data-has="${files.filter(file => !isScript(file)).join(' ')}">`

export const addressOf = (request: FastifyRequest) => request.url.split('?')[0] ?? ''

/** A visitor who is not signed in is about to be. */
export function pageFor(request: FastifyRequest, pages: Pages): Page | undefined {
  const address = addressOf(request)
  const isSignedIn = SIGNED_IN.some(name => request.cookies[name])
  const entry = ENTRY_PAGES.includes(address) || isSignedIn ? address.replace(/(?<=.)\/$/, '') : '/sign-in'
  const language = languages.find(known => known === request.cookies[LANGUAGE_COOKIE]) ?? languages[0]
  const route = pages[entry] ?? pages[Object.keys(pages).find(each => isAt(each, entry)) ?? '*']
  return route?.[language]
}

/** Whether an address with parameters, `/sheets/$id`, has this one. */
function isAt(route: string, address: string): boolean {
  const [parts, found] = [route.split('/'), address.split('/')]
  return (
    parts.length === found.length &&
    parts.every((part, at) => part === found[at] || (part.startsWith('$') && found[at] !== ''))
  )
}

/** Only the preloads depend on it, so either spelling will do. */
const SIGNED_IN = ['http:', 'https:'].flatMap(protocol => {
  const { access, refresh_expiry } = sessionCookies(protocol)
  return [access, refresh_expiry]
})

const ENTRY_PAGES = ['/sign-in', '/expired', '/set-password']

export const sendPage = (reply: FastifyReply, { plain }: Page) =>
  startPage(reply).header('cache-control', 'no-cache').send(plain)

export const startPage = (reply: FastifyReply) =>
  reply
    .code(200)
    .header('vary', 'cookie')
    .header('content-security-policy', PAGE_POLICY)
    .type('text/html; charset=utf-8')
