import { QueryClientProvider, type QueryClient } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import type { AppRouter } from './routes.tsx'
import { ThemeProvider } from './theme-provider.tsx'

/** The whole interface, in the browser and drawn by the server. */
export const App = ({ router, queries }: { router: AppRouter; queries: QueryClient }) => (
  <StrictMode>
    <ThemeProvider>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </ThemeProvider>
  </StrictMode>
)
