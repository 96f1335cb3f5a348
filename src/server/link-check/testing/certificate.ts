import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'

export interface Certificate {
  /** PEM. */
  cert: string
  key: string
}

/** A certificate that has signed itself, for one name. */
export function certificateFor(name: string, { ends }: { ends: Date }): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const algorithm = sequence(objectId('2a8648ce3d040302'))
  const issuer = sequence(set(sequence(objectId('550403'), der(0x0c, Buffer.from(name)))))
  const began = new Date(ends.getTime() - 365 * 86_400_000)
  const content = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    algorithm,
    issuer,
    sequence(time(began), time(ends)),
    issuer,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(
      0xa3,
      sequence(
        extension('551d11', sequence(der(0x82, Buffer.from(name)))),
        // It may sign: whoever trusts it trusts it as its own authority.
        extension('551d13', sequence(der(0x01, Buffer.from([0xff])))),
      ),
    ),
  )
  const signature = sign('sha256', content, privateKey)
  const whole = sequence(content, algorithm, der(0x03, Buffer.concat([Buffer.from([0]), signature])))
  const body = whole.toString('base64').replaceAll(/.{64}/g, '$&\n').trim()
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${body}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}

function der(tag: number, content: Buffer): Buffer {
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

const sequence = (...parts: Buffer[]) => der(0x30, Buffer.concat(parts))
const set = (...parts: Buffer[]) => der(0x31, Buffer.concat(parts))
const objectId = (hex: string) => der(0x06, Buffer.from(hex, 'hex'))
const extension = (id: string, value: Buffer) => sequence(objectId(id), der(0x04, value))
const time = (at: Date) => der(0x18, Buffer.from(at.toISOString().replaceAll(/[-:T]|\.\d+/g, '')))
