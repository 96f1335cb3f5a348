import type { IncomingMessage } from 'node:http'
import type { Clock } from '#sandbox/clock.ts'
import { isPerson, type PersonId } from '#sandbox/dataset/persons.ts'
import { readBody } from '#sandbox/http/body.ts'
import { type HttpResponse, send } from '#sandbox/http/response.ts'
import type { Platform } from '#sandbox/platform.ts'
import { createRedirects, type Redirects } from './apps.ts'
import { consentPage, consentHeaders, refusalPage } from './page.ts'
import { type Demand, Refusal, WAYS } from './ways.ts'
import type { Grants } from '#sandbox/oauth/grants.ts'

/**
 * The pages on which people agree to what an app asks for. GET shows the page; a form posted to the same
 * address answers it: `person`, `decision` (agree or deny) and the `scope`s that stay ticked; without a field
 * of that name all of them do.
 */
export function createConsent({ clock, grants }: { clock: Clock; grants: Grants }): Platform {
  const redirects = createRedirects()
  return {
    name: 'consent',
    owns: pathname => WAYS.some(way => way.path.test(pathname)),
    async handle(request, response, url) {
      await send(request, response, await respond({ request, url, now: clock.now() }, { grants, redirects }))
      return { account: null }
    },
    control: {
      platforms: [],
      getFaults: () => [],
      setFaults: () => {},
      limits: redirects.limits,
      reset({ keep_files }) {
        redirects.reset()
        if (!keep_files) grants.reset()
      },
    },
  }
}

async function respond(
  { request, url, now }: { request: IncomingMessage; url: URL; now: number },
  { grants, redirects }: { grants: Grants; redirects: Redirects },
): Promise<HttpResponse> {
  const way = WAYS.find(each => each.path.test(url.pathname)) ?? WAYS[0]
  try {
    const demand = way.read(url.searchParams, redirects)
    if (request.method !== 'POST') return page(200, consentPage(demand, url), demand.redirect.origin)
    const answer = answerIn(new URLSearchParams((await readBody(request))?.toString('utf8')), demand)
    const back = new URL(demand.redirect)
    const parameters = answer ? way.agreed(agree({ demand, answer, now }, grants), answer.scopes) : way.denied
    for (const [name, value] of Object.entries(parameters)) back.searchParams.set(name, value)
    if (demand.state !== null) back.searchParams.set('state', demand.state)
    return seeOther(`${back.href}${way.fragment}`)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return page(400, refusalPage(error.message), null)
  }
}

interface Answer {
  person: PersonId
  scopes: string[]
}

/** null: the person refuses. */
function answerIn(form: URLSearchParams, { scopes, fixed_scopes }: Demand): Answer | null {
  const person = form.get('person') ?? ''
  const decision = form.get('decision')
  if (decision === 'deny') return null
  if (decision !== 'agree' || !isPerson(person))
    throw new Refusal('The form needs decision (agree or deny) and, to agree, a person.')
  return {
    person,
    scopes: form.has('scope')
      ? scopes.filter(scope => [...fixed_scopes, ...form.getAll('scope')].includes(scope))
      : scopes,
  }
}

function agree(
  { demand, answer, now }: { demand: Demand; answer: Answer; now: number },
  grants: Grants,
): string {
  const { provider, client_id, challenge, adds_granted } = demand
  const before = grants.together({ provider, client_id, person: answer.person })
  const scopes = adds_granted ? [...before.flatMap(grant => grant.scopes), ...answer.scopes] : answer.scopes
  const consent = {
    provider,
    client_id,
    challenge,
    person: answer.person,
    scopes: [...new Set(scopes)],
    redirect_uri: demand.redirect_uri,
    is_lasting: demand.is_lasting === 'first' ? before.length === 0 : demand.is_lasting,
  }
  return grants.agree(consent, now)
}

const page = (status: number, body: string, back: string | null): HttpResponse => ({
  status,
  type: 'text/html; charset=utf-8',
  headers: consentHeaders(back),
  body,
})

const seeOther = (location: string): HttpResponse => ({
  status: 303,
  type: 'text/plain; charset=utf-8',
  headers: { location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' },
  body: '',
})
