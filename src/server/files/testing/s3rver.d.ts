/** The part of it that is used; it has no types of its own. */
declare module '@20minutes/s3rver' {
  import type { Readable } from 'node:stream'

  interface Options {
    address: string
    port: number
    silent: boolean
    directory: string
    vhostBuckets: boolean
    allowMismatchedSignatures: boolean
    configureBuckets: { name: string }[]
  }

  interface StoredObject {
    content: Readable | null
    range?: { start: number; end: number }
  }

  export default class S3rver {
    constructor(options: Options)
    store: {
      getObject(
        bucket: string,
        key: string,
        range?: { start?: number; end?: number },
      ): Promise<StoredObject | null>
      deleteObject(bucket: string, key: string): Promise<void>
    }
    run(): Promise<{ port: number }>
  }
}
