/** Header or claims of a signed token as an object; null when they are none. */
export function readPart(part: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString())
    return typeof value === 'object' && value !== null ? { ...value } : null
  } catch {
    return null
  }
}
