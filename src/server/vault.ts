import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { StartProblem } from './start-problem.ts'

/**
 * Encrypts texts in the database. `place` names the context of a text (a table, a row, a platform): sealed
 * for one context it cannot be opened in another. AES-256-GCM; a sealed text is version, key id, nonce, tag
 * and cipher text, one after the other.
 */
export interface Vault {
  seal(text: string | Uint8Array, context: string): Buffer
  /** Throws SealBroken. */
  open(sealed: Uint8Array, context: string): string
  /** The same for bytes. */
  openBytes(sealed: Uint8Array, context: string): Buffer
  /**
   * A keyed hash of a text, which reveals nothing of it and cannot be computed without the present key; the
   * same each time.
   */
  nameOf(text: string): Buffer
  /**
   * Proof that a text came from us: HMAC-SHA-256 with a key of this purpose alone, made of the present key;
   * after a rotation it is another one.
   */
  signatureOf(text: string, purpose: string): Buffer
  /** Whether a text was sealed with another key than the present one. */
  isOld(sealed: Uint8Array): boolean
}

/** It was changed, belongs to another context, or was sealed with a missing key. */
export class SealBroken extends Error {
  override readonly name = 'SealBroken'
}

const VERSION = 1
const KEY_BYTES = 32
const ID_BYTES = 8
const NONCE_BYTES = 12
const TAG_BYTES = 16
const HEAD_BYTES = 1 + ID_BYTES

/** The first key seals, every one opens: so keys are rotated by adding a new one in front. */
export function createVault(keys: readonly [Buffer, ...Buffer[]]): Vault {
  const [present] = keys
  const byId = new Map(keys.map(key => [idOf(key).toString('hex'), key]))
  const idIn = (sealed: Uint8Array) => Buffer.from(sealed.subarray(1, HEAD_BYTES)).toString('hex')
  const keyFor = (purpose: string) => Buffer.from(hkdfSync('sha256', present, '', purpose, KEY_BYTES))
  const namesKey = keyFor('names')
  const openBytes: Vault['openBytes'] = (sealed, context) => {
    const key = byId.get(idIn(sealed))
    if (sealed[0] !== VERSION || !key) throw new SealBroken(`no key opens ${context}`)
    const nonce = sealed.subarray(HEAD_BYTES, HEAD_BYTES + NONCE_BYTES)
    const tag = sealed.subarray(HEAD_BYTES + NONCE_BYTES, HEAD_BYTES + NONCE_BYTES + TAG_BYTES)
    const body = sealed.subarray(HEAD_BYTES + NONCE_BYTES + TAG_BYTES)
    try {
      const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
      decipher.setAAD(Buffer.from(context)).setAuthTag(tag)
      return Buffer.concat([decipher.update(body), decipher.final()])
    } catch (error) {
      throw new SealBroken(`${context} was changed, or sealed for another context`, { cause: error })
    }
  }
  return {
    seal(text, context) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', present, nonce).setAAD(Buffer.from(context))
      const body = Buffer.concat([cipher.update(bytesOf(text)), cipher.final()])
      return Buffer.concat([Buffer.from([VERSION]), idOf(present), nonce, cipher.getAuthTag(), body])
    },
    open: (sealed, context) => openBytes(sealed, context).toString('utf8'),
    openBytes,
    nameOf: text => createHmac('sha256', namesKey).update(text).digest(),
    signatureOf: (text, purpose) =>
      createHmac('sha256', keyFor(`signatures of ${purpose}`))
        .update(text)
        .digest(),
    isOld: sealed => idIn(sealed) !== idOf(present).toString('hex'),
  }
}

const bytesOf = (text: string | Uint8Array) => (typeof text === 'string' ? Buffer.from(text) : text)

const idOf = (key: Buffer) => createHash('sha256').update(key).digest().subarray(0, ID_BYTES)

const FILE = 'credential.key'

/**
 * The keys of the environment, or else the one that is stored beside the data; the first start creates it.
 */
export function openVault({
  credential_keys,
  data_dir,
}: {
  credential_keys: string | null
  data_dir: string
}): Vault {
  const named = credential_keys === null ? `${join(data_dir, FILE)}` : 'CREDENTIAL_KEYS'
  const texts = (credential_keys ?? keyFromFile(data_dir)).split(',').map(text => text.trim())
  const keys = texts.map(text => Buffer.from(text, 'base64'))
  const [first, ...others] = keys
  if (!first || keys.some(key => key.length !== KEY_BYTES))
    throw new StartProblem(`${named} must hold keys of 32 bytes in base64, separated by commas`)
  return createVault([first, ...others])
}

function keyFromFile(dataDir: string): string {
  const file = join(dataDir, FILE)
  try {
    // Two processes that start at once must not each create one: the second reads the first one's.
    writeFileSync(file, `${randomBytes(KEY_BYTES).toString('base64')}\n`, { mode: 0o600, flag: 'wx' })
  } catch {
    // It exists already, or cannot be written: reading shows which.
  }
  try {
    return readFileSync(file, 'utf8')
  } catch {
    throw new StartProblem(
      `${file} can be neither read nor created: set CREDENTIAL_KEYS, or make the folder writable`,
    )
  }
}
