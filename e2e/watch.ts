import type { BrowserContext } from 'playwright-core'
import { CALL } from './payloads.ts'

/** What a context's pages did that no text may make them do. */
export interface Watched {
  /** Calls of the function that payloads call, and dialogs. */
  struck: string[]
  /** Of the content security policy and Trusted Types. */
  violations: string[]
  /** Exceptions that nobody caught. */
  failures: string[]
}

/** Watches every page and frame of a context from its first line on. */
export async function watch(context: BrowserContext): Promise<Watched> {
  const seen: Watched = { struck: [], violations: [], failures: [] }
  await context.exposeBinding(CALL, ({ frame }) => void seen.struck.push(frame.url()))
  await context.exposeBinding('violated', (_, text: string) => void seen.violations.push(text))
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', event =>
      Object(globalThis).violated(
        `${location.pathname} ${event.effectiveDirective} ${event.blockedURI} ${event.sample}`,
      ),
    )
  })
  context.on('page', page => {
    page.on('dialog', dialog => {
      seen.struck.push(`${page.url()} ${dialog.message()}`)
      void dialog.dismiss()
    })
    page.on('pageerror', error => seen.failures.push(`${page.url()} ${error.message}`))
    page.on('console', message => {
      if (/Content Security Policy|Trusted ?Type/i.test(message.text())) seen.violations.push(message.text())
    })
  })
  return seen
}
