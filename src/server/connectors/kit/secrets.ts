const LONGEST = 1000

/**
 * A platform's own words, for internal people: it may repeat to us what it was asked with, plainly or as it
 * stands in an address.
 */
export function withoutSecrets(text: string, secrets: readonly (string | undefined)[]): string {
  const forms = secrets.flatMap(secret => (secret ? [secret, encodeURIComponent(secret)] : []))
  return forms.reduce((redacted, form) => redacted.replaceAll(form, '…'), text).slice(0, LONGEST)
}
