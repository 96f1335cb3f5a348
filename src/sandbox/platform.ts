import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Clock } from './clock.ts'
import type { Controlled } from './control/control.ts'
import type { Dataset } from './dataset/dataset.ts'
import type { Remembered } from './memory.ts'
import type { Caller } from './oauth/caller.ts'
import type { Grants } from './oauth/grants.ts'

/** The wire of a platform that serves the dataset. */
export interface Platform {
  /** The name of its requests in the log. */
  name: string
  owns(pathname: string): boolean
  /** Handles a request; returns what the log says of it. */
  handle(request: IncomingMessage, response: ServerResponse, url: URL): Promise<Handled>
  control: Controlled
  /** What outlives a restart; left out: nothing does. */
  remembered?: Remembered
}

export interface Handled {
  /** The account that the request was about. */
  account: string | null
  counts?: Record<string, number>
}

/** What all platforms have in common. */
export interface PlatformContext {
  clock: Clock
  dataset: Dataset
  /** The login of the token in this Authorization header, if the token endpoint issued it. */
  login(authorization: string | undefined): Caller | null
  /** What people have agreed to on the consent pages. */
  grants: Grants
}
