import type { Service } from './endpoint.ts'
import type { Asked } from './sheets-api.ts'
import type { Answer } from './wire.ts'
import type { Caller } from '#sandbox/oauth/caller.ts'

export function answerViewer(_service: Service, _asked: Asked, _caller: Caller | null): Answer | null {
  return null
}
