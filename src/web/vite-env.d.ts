/// <reference types="vite/client" />

declare module 'virtual:theme.css'

interface ImportMetaEnv {
  /** Of the product (vite.config.ts). */
  readonly VITE_VERSION: string
}
