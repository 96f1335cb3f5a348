import type { ShareAudienceReply } from '#shared/api/audiences.ts'
import { client } from '#web/client/client.ts'
import { asProblem, type ProblemCode } from '#web/client/problem.ts'
import { createStore } from '#web/client/store.ts'
import { HashingProblem, type Hasher } from '#web/pages/audiences/hashing/messages.ts'
import type { Envelope, FileReading } from '#web/pages/audiences/hashing/passes.ts'
import { PATH } from '#web/pages/audiences/list-query.ts'
import { sendUpload } from './send-upload.ts'

/** An upload that goes on whatever page is open, for as long as the tab is. */
export interface RunningUpload {
  audience: number
  name: string
  /** Whose it is. */
  user: number
  sent: number
  total: number
  state: 'sending' | 'waiting' | 'stopped' | 'done'
  problem: ProblemCode | null
  /** What came of sharing it afterwards. */
  shares: ShareAudienceReply['shares']
  resume: () => void
  /** Begins again, in the place of an upload that broke off. */
  startOver: (session: string) => void
  /** Stops it, and forgets it. */
  cancel: () => void
}

export const running = createStore<readonly RunningUpload[]>([])

interface NewUpload extends Pick<RunningUpload, 'audience' | 'name' | 'user' | 'total'> {
  hasher: Hasher
  reading: FileReading
  envelope: Envelope
  /** The ad accounts that get the audience afterwards. */
  accounts: readonly number[]
  onDone: (upload: RunningUpload) => void
}

export function beginUpload({ hasher, reading, envelope, accounts, onDone, ...facts }: NewUpload) {
  const { audience } = facts
  const stop = new AbortController()
  const change = (changed: Partial<RunningUpload>) =>
    running.set(all => all.map(each => (each.audience === audience ? { ...each, ...changed } : each)))
  let from = 1
  let opening = envelope
  async function send() {
    change({ state: 'sending', problem: null })
    try {
      await sendUpload(
        { reading, envelope: opening, from },
        {
          hasher,
          post: body => client.post(`${PATH}${audience}/members/`, { body, headers: JSON_BODY }),
          pause,
          signal: stop.signal,
          onProgress({ seq, sent, isWaiting }) {
            from = seq
            change({ sent, state: isWaiting ? 'waiting' : 'sending' })
          },
        },
      )
      if (stop.signal.aborted) return
      await share()
    } catch (error) {
      if (!stop.signal.aborted) change({ state: 'stopped', problem: codeOf(error) })
    }
  }
  async function share() {
    const shares =
      accounts.length === 0
        ? []
        : await client
            .post<ShareAudienceReply>(`${PATH}share-custom-audience`, {
              body: { audience, ad_accounts: [...accounts], auto_sync: true },
            })
            .then(
              reply => reply.shares,
              (error: unknown) =>
                accounts.map(account => ({ ad_account: account, result: asProblem(error).code })),
            )
    hasher.close()
    change({ state: 'done', sent: facts.total, shares })
    watchLeaving()
    const upload = running.get().find(each => each.audience === audience)
    if (upload) onDone(upload)
  }
  const upload: RunningUpload = {
    ...facts,
    sent: 0,
    state: 'sending',
    problem: null,
    shares: [],
    resume: () => void send(),
    startOver(session) {
      opening = { ...envelope, instead_of: session }
      void send()
    },
    cancel() {
      stop.abort()
      hasher.close()
      running.set(all => all.filter(each => each.audience !== audience))
      watchLeaving()
    },
  }
  running.set(all => [...all.filter(each => each.audience !== audience), upload])
  watchLeaving()
  void send()
}

const JSON_BODY = { 'content-type': 'application/json' }

const pause = (ms: number) =>
  new Promise<void>(resolve => {
    setTimeout(resolve, ms)
  })

/** Neither what was thrown nor its text is kept: it might have a value of the file. */
const codeOf = (error: unknown): ProblemCode =>
  error instanceof HashingProblem ? 'unreadable' : asProblem(error).code

/** A person who leaves the tab is warned while something is not sent yet. */
function watchLeaving() {
  const isUnderWay = running.get().some(({ state }) => state !== 'done')
  if (isUnderWay) addEventListener('beforeunload', warn)
  else removeEventListener('beforeunload', warn)
}

const warn = (event: Event) => event.preventDefault()
