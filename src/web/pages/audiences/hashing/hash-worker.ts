import { createHashing } from './hashing.ts'
import { answerCalls } from './messages.ts'

answerCalls(globalThis.self, createHashing())
