import type { ReactNode } from 'react'
import { Problem } from '#web/client/problem.ts'

/** A request that a page has sent. */
export interface Call {
  method: string
  path: string
  query?: Readonly<Record<string, unknown>>
  body?: unknown
}

type Answers = Readonly<Record<string, unknown>>

const state = { answers: {} as Answers, calls: [] as Call[] }

/**
 * What a page may ask for, as `GET /api/industry/`: a value, a problem to throw, or what makes one of them
 * out of the call.
 */
export function serve(answers: Answers): Call[] {
  state.answers = answers
  state.calls = []
  return state.calls
}

/** The calls that change something. */
export const changesIn = (calls: readonly Call[]) => calls.filter(({ method }) => method !== 'GET')

async function respond(method: string, path: string, options: Omit<Call, 'method' | 'path'> = {}) {
  const call: Call = { method, path, ...options }
  state.calls.push(call)
  const answer = state.answers[`${method} ${path}`]
  const value = typeof answer === 'function' ? await answer(call) : answer
  if (value instanceof Problem) throw value
  if (value === undefined) throw new Error(`nothing answers ${method} ${path}`)
  return value
}

/** A whole list as its only page. */
export const listOf = (results: readonly unknown[]) => ({
  count: results.length,
  next: null,
  previous: null,
  results,
})

/** Instead of `#web/client/client.ts`. */
export const fakeClient = {
  client: {
    get: (path: string, options?: Omit<Call, 'method' | 'path'>) => respond('GET', path, options),
    post: (path: string, options?: Omit<Call, 'method' | 'path'>) => respond('POST', path, options),
    patch: (path: string, options?: Omit<Call, 'method' | 'path'>) => respond('PATCH', path, options),
    delete: (path: string, options?: Omit<Call, 'method' | 'path'>) => respond('DELETE', path, options),
  },
}

const address = { search: {} as object, params: {} as object, went: [] as unknown[] }

/** Where the page is drawn, as the router says. */
export function standAt(search: object, params: object = {}): unknown[] {
  Object.assign(address, { search, params, went: [] })
  return address.went
}

interface LinkProps {
  to: string
  params?: Record<string, string>
  search?: object
  children?: ReactNode
}

/** Instead of what the pages use of the router: they are drawn without one. */
export const fakeRouter = {
  useSearch: () => address.search,
  useParams: () => address.params,
  useNavigate: () => (to: { search?: unknown }) => {
    const search = typeof to.search === 'function' ? to.search(address.search) : to.search
    address.went.push({ ...to, ...(search !== undefined && { search }) })
  },
  useBlocker: () => ({ status: 'idle' }),
  createLink: () => (props: LinkProps) => (
    <a
      href={props.to.replace(/\$(\w+)/g, (_, name: string) => props.params?.[name] ?? '')}
      data-search={JSON.stringify(props.search)}
    >
      {props.children}
    </a>
  ),
}
