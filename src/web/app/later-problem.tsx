import { lazy, Suspense, type ComponentProps } from 'react'
import type { Problem } from '#web/ui/problem.tsx'
import type { ProblemText } from '#web/ui/problem-text.tsx'

// The texts of all errors are not worth loading before the first page, on which hardly ever one is shown.

const LazyProblem = lazy(async () => ({ default: (await import('#web/ui/problem.tsx')).Problem }))
const LazyProblemText = lazy(async () => ({
  default: (await import('#web/ui/problem-text.tsx')).ProblemText,
}))

/** `Problem` for the pages that are loaded first. */
export const LaterProblem = (props: ComponentProps<typeof Problem>) => (
  <Suspense>
    <LazyProblem {...props} />
  </Suspense>
)

/** `ProblemText` for the pages that are loaded first. */
export const LaterProblemText = (props: ComponentProps<typeof ProblemText>) => (
  <Suspense>
    <LazyProblemText {...props} />
  </Suspense>
)
