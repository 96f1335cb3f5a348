import { CatchBoundary, type ErrorComponentProps } from '@tanstack/react-router'
import { Suspense, type ReactNode } from 'react'
import { isStaleVersion } from './stale-version.ts'

/**
 * A part that the page can do without: while its code is loading, or cannot be loaded, its space stays
 * reserved.
 */
export const Optional = ({ placeholder, children }: { placeholder?: ReactNode; children: ReactNode }) => (
  <CatchBoundary
    getResetKey={() => 'part'}
    errorComponent={({ error }: ErrorComponentProps) => {
      if (!isStaleVersion(error)) throw error
      return placeholder
    }}
  >
    <Suspense fallback={placeholder}>{children}</Suspense>
  </CatchBoundary>
)
