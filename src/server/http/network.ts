import ipaddr from 'ipaddr.js'

/**
 * What limits count as one address. An IPv6 customer is given a /64 at least, 2⁶⁴ addresses to choose from;
 * an IPv4 address is the same one whether the socket writes it as IPv4 or mapped into IPv6.
 */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const known = ipaddr.process(address)
  if (known instanceof ipaddr.IPv4) return known.toString()
  return `${new ipaddr.IPv6([...known.parts.slice(0, 4), 0, 0, 0, 0]).toString()}/64`
}
