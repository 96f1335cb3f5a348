import { lazy as reactLazy, use } from 'react'

/**
 * A part whose code comes later, as React's. Drawn by the server it is always its placeholder: its styles are
 * not among those that the page names.
 */
export const lazy: typeof reactLazy = typeof window === 'undefined' ? () => Never as never : reactLazy

const Never = () => use(new Promise<never>(() => {}))
