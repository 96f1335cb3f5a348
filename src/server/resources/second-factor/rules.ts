import { createHash, randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'

// RFC 6238 with what every app understands: SHA-1, six digits, steps of 30 seconds. A clock may be one step
// off in either direction.
const KIND = { algorithm: 'SHA1', digits: 6, period: 30 } as const
const WINDOW = 1

/** The key's length is the one of SHA-1 (RFC 4226 §4). */
const SECRET_BYTES = 20

export const newSecret = (): Buffer => randomBytes(SECRET_BYTES)

/** The secret as an app takes it: from a QR code, or typed. */
export function describeSecret(secret: Uint8Array, username: string): { secret: string; uri: string } {
  const totp = new TOTP({ ...KIND, issuer: 'Sheetcast', label: username, secret: secretOf(secret) })
  return { secret: totp.secret.base32, uri: totp.toString() }
}

/** The time step of the code; null when it belongs to none around this moment. */
export function stepOf(secret: Uint8Array, code: string, now: Date): number | null {
  const timestamp = now.getTime()
  const delta = TOTP.validate({ ...KIND, secret: secretOf(secret), token: code, timestamp, window: WINDOW })
  return delta === null ? null : TOTP.counter({ period: KIND.period, timestamp }) + delta
}

const secretOf = (bytes: Uint8Array) => new Secret({ buffer: Uint8Array.from(bytes).buffer })

/** Six digits, however they were grouped; null for anything else. */
export function asAppCode(text: string): string | null {
  const code = text.replaceAll(/[\s-]/g, '')
  return /^\d{6}$/.test(code) ? code : null
}

const RECOVERY_CODES = 10

// Crockford's base32: no two of its characters look alike. 24 of them are 120 bits: enough to store a plain
// hash (ASVS 5.0, 6.5.2).
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const RECOVERY_LENGTH = 24

/** xxxx-xxxx-xxxx-xxxx-xxxx-xxxx */
export const newRecoveryCodes = (): string[] => Array.from({ length: RECOVERY_CODES }, newRecoveryCode)

function newRecoveryCode(): string {
  // 256 is a multiple of 32, so each letter is as likely as any other.
  const letters = Array.from(randomBytes(RECOVERY_LENGTH), byte => ALPHABET[byte % ALPHABET.length])
  return letters.join('').replaceAll(/.{4}(?=.)/g, '$&-')
}

/** The stored hash of a recovery code; the same however it was typed. */
export function hashRecoveryCode(text: string): Buffer {
  const plain = text.toLowerCase().replaceAll(/[\s-]/g, '').replaceAll('o', '0').replaceAll(/[il]/g, '1')
  return createHash('sha256').update(plain).digest()
}
