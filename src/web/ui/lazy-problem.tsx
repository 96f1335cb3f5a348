import { Suspense, type ComponentProps } from 'react'
import { loadErrorTexts } from '#web/i18n/i18n.ts'
import { lazy } from '#web/visit/lazy.ts'
import type { Problem } from './problem.tsx'
import type { ProblemText } from './problem-text.tsx'

// The texts of all errors are not worth loading before the first page, which hardly ever shows one.

const LoadedProblem = lazy(async () => {
  const [{ Problem: drawn }] = await Promise.all([import('./problem.tsx'), loadErrorTexts()])
  return { default: drawn }
})
const LoadedProblemText = lazy(async () => {
  const [{ ProblemText: drawn }] = await Promise.all([import('./problem-text.tsx'), loadErrorTexts()])
  return { default: drawn }
})

/** `Problem` for the pages that are loaded first. */
export const LazyProblem = (props: ComponentProps<typeof Problem>) => (
  <Suspense>
    <LoadedProblem {...props} />
  </Suspense>
)

/** `ProblemText` for the pages that are loaded first. */
export const LazyProblemText = (props: ComponentProps<typeof ProblemText>) => (
  <Suspense>
    <LoadedProblemText {...props} />
  </Suspense>
)
