import { generateKeyPairSync, randomBytes } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'

export const SYSTEM_USER = 'sheetcast@sheetcast-sandbox.iam.gserviceaccount.com'

/** This many system users, all of one project. */
export const systemUsers = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    index === 0 ? SYSTEM_USER : SYSTEM_USER.replace('@', `-${index + 1}@`),
  )

/** The project that a service account was made in: its address says it. */
export const projectOf = (email: string) => /@([^.]+)\.iam\.gserviceaccount\.com$/.exec(email)?.[1] ?? ''

export interface KeyPair {
  email: string
  id: string
  private_key: string
  public_key: string
}

/** A system user's key pair: made on its first start, stored from then on. */
export function systemKeyPair(db: DatabaseSync, email: string): KeyPair {
  const row = db.prepare('select id, private_key, public_key from key_pair where email = ?').get(email)
  if (row) {
    const [id, private_key, public_key] = [
      String(row['id']),
      String(row['private_key']),
      String(row['public_key']),
    ]
    return { email, id, private_key, public_key }
  }
  const { privateKey, publicKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  })
  const pair = {
    email,
    id: randomBytes(20).toString('hex'),
    private_key: privateKey,
    public_key: publicKey,
  }
  db.prepare('insert into key_pair (email, id, private_key, public_key) values (?, ?, ?, ?)').run(
    pair.email,
    pair.id,
    pair.private_key,
    pair.public_key,
  )
  return pair
}

/** The key file that Google's console would issue. */
export const keyFile = ({ email, id, private_key }: KeyPair, origin: string) => ({
  type: 'service_account',
  project_id: projectOf(email),
  private_key_id: id,
  private_key,
  client_email: email,
  client_id: '100000000000000000001',
  auth_uri: `${origin}/o/oauth2/auth`,
  token_uri: `${origin}/token`,
  universe_domain: 'googleapis.com',
})
