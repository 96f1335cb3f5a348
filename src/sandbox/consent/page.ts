import { escape, hashOf, STYLE } from '#sandbox/control/page.ts'
import { isPerson, PERSONS } from '#sandbox/dataset/persons.ts'
import { APPS } from './apps.ts'
import type { Demand } from './ways.ts'

/**
 * `back`: where a form that was sent may lead to in the end. Browsers have to send the origin of the form,
 * which is checked.
 */
export const consentHeaders = (back: string | null) => ({
  'content-security-policy': `default-src 'none'; style-src ${hashOf(STYLE)}; base-uri 'none'; form-action 'self'${back === null ? '' : ` ${back}`}; frame-ancestors 'none'`,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cache-control': 'no-store',
})

/** Who agrees, and to what. */
export const consentPage = (
  { provider, scopes, fixed_scopes }: Demand,
  url: URL,
) => `${head(`Sandbox: ${APPS[provider].name}`)}
<h1>${APPS[provider].name}</h1>
<p>An app asks for access in your name.</p>
<form method="post" action="${escape(url.pathname + url.search)}">
<fieldset><legend>You are</legend>
${Object.keys(PERSONS).filter(isPerson).map(personField).join('\n')}</fieldset>
<fieldset><legend>It may use</legend><input type="hidden" name="scope" value="">
${scopes
  .filter(scope => !fixed_scopes.includes(scope))
  .map(scopeField)
  .join('\n')}</fieldset>
<p><button name="decision" value="agree">Agree</button><button name="decision" value="deny">Deny</button></p>
</form></html>`

export const refusalPage = (why: string) => `${head('Sandbox')}
<h1>Sorry, something went wrong</h1>
<output>${escape(why)}</output></html>`

const head = (title: string) =>
  `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>${escape(title)}</title><style>${STYLE}</style>`

const personField = (id: keyof typeof PERSONS, index: number) =>
  `<p><label><input type="radio" name="person" value="${id}"${index === 0 ? ' checked' : ''}> ${escape(PERSONS[id].name)} (${escape(PERSONS[id].position)})</label></p>`

const scopeField = (scope: string) =>
  `<p><label><input type="checkbox" name="scope" value="${escape(scope)}" checked> ${escape(scope)}</label></p>`
