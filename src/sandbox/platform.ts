import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Clock } from './clock.ts'
import type { Controlled } from './control/control.ts'
import type { Dataset } from './dataset/dataset.ts'
import type { Caller } from './oauth/caller.ts'

/** The wire of a platform that serves the dataset. */
export interface Platform {
  /** The name of its requests in the log. */
  name: string
  owns(pathname: string): boolean
  /** Handles a request; returns the account that it was about, and for the log how much was sent. */
  handle(request: IncomingMessage, response: ServerResponse, url: URL): Promise<Handled>
  control: Controlled
}

export interface Handled {
  account: string | null
  counts?: Record<string, number>
}

/** What all platforms have in common. */
export interface PlatformContext {
  clock: Clock
  dataset: Dataset
  /** The login of the token in this Authorization header, if the token endpoint issued it. */
  login(authorization: string | undefined): Caller | null
}
