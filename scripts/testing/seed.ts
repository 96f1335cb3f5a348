import { configureGlobal, readConfigureGlobal } from 'fast-check'
import { SEED } from '#server/testing/random.ts'

// Loaded before each file: properties draw from the seed of the run, as everything random does.
configureGlobal({ ...readConfigureGlobal(), seed: SEED })
