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
  const watched: Watched = { struck: [], violations: [], failures: [] }
  await context.exposeBinding(CALL, ({ frame }) => void watched.struck.push(frame.url()))
  await context.exposeBinding('violated', (_, text: string) => void watched.violations.push(text))
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', event =>
      Object(globalThis).violated(
        `${location.pathname} ${event.effectiveDirective} ${event.blockedURI} ${event.sample}`,
      ),
    )
  })
  context.on('page', page => {
    page.on('dialog', dialog => {
      watched.struck.push(`${page.url()} ${dialog.message()}`)
      void dialog.dismiss()
    })
    page.on('pageerror', error => watched.failures.push(`${page.url()} ${error.message}`))
    page.on('console', message => {
      if (/Content Security Policy|Trusted ?Type/i.test(message.text()))
        watched.violations.push(message.text())
    })
  })
  return watched
}
