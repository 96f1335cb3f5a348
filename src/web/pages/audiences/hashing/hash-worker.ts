import { answerCalls } from './answer-calls.ts'
import { createHashing } from './hashing.ts'

answerCalls(globalThis.self, createHashing())
