import { registerHooks } from 'node:module'

/** Writes how many modules of the S3 library the product loads, and whether the first call loads some. */
let loaded = 0
registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context)
    if (/@aws-sdk|@smithy/.test(found.url)) loaded += 1
    return found
  },
})

await import('#server/main.ts')
const { s3Store } = await import('#server/files/s3-store.ts')
const store = s3Store({
  bucket: 'bucket',
  endpoint: 'http://127.0.0.1:1',
  region: 'us-east-1',
  access_key: 'a',
  secret_key: 'b',
  prefix: '',
})
const with_product = loaded
await store.find('a'.repeat(64)).catch(() => undefined)
console.log(JSON.stringify({ with_product, with_call: loaded > 0 }))
process.exit(0)
