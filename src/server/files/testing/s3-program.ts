import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import S3rver from '@20minutes/s3rver'
import { codeOf } from '#server/db/problem.ts'

/**
 * A server of S3 with one bucket, on this machine alone; writes its port. It compares signatures, but not
 * where `is_lenient` is given: it signs the address of a bucket otherwise than clients do, and lists none.
 */
const [, , directory = '', bucket = '', mode] = process.argv
const server = new S3rver({
  address: '127.0.0.1',
  port: 0,
  silent: true,
  directory,
  vhostBuckets: false,
  allowMismatchedSignatures: mode === 'lenient',
  configureBuckets: [{ name: bucket }],
})

// Its own: a range that ends with the first byte is all of the file, and what is not there cannot be removed.
const { store } = server
const getObject = store.getObject.bind(store)
const deleteObject = store.deleteObject.bind(store)
store.getObject = async (name, key, range) => {
  if (range?.end !== 0) return await getObject(name, key, range)
  const object = await getObject(name, key, { start: 0, end: 1 })
  if (!object?.content) return object
  object.content = Readable.from([(await buffer(object.content)).subarray(0, 1)])
  object.range = { start: 0, end: 0 }
  return object
}
store.deleteObject = (name, key) =>
  deleteObject(name, key).catch((error: unknown) => {
    if (codeOf(error) !== 'ENOENT') throw error
  })

console.log((await server.run()).port)
