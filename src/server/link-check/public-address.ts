import { BlockList, isIPv4, isIPv6 } from 'node:net'

/**
 * Whether an address belongs to a host of the public internet. Of IPv6 only what is allotted for that
 * (2000::/3) counts: this leaves out loopback, link-local, unique local, mapped, NAT64 and multicast ones.
 */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !notPublic.check(address, 'ipv4')
  // An address with a zone is one of a link.
  if (!isIPv6(address) || address.includes('%')) return false
  return globalUnicast.check(address, 'ipv6') && !notPublic.check(address, 'ipv6')
}

const globalUnicast = new BlockList()
globalUnicast.addSubnet('2000::', 3, 'ipv6')

const notPublic = new BlockList()
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  // Carrier-grade NAT, and the metadata of Alibaba Cloud.
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  // Link-local, and the metadata of most clouds.
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  // Documentation.
  ['192.0.2.0', 24],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  // Relays to IPv6.
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  // Benchmarks.
  ['198.18.0.0', 15],
  // Multicast, reserved and broadcast.
  ['224.0.0.0', 3],
  // Public by its number, but within each machine of Azure: its platform's own service.
  ['168.63.129.16', 32],
] as const)
  notPublic.addSubnet(network, prefix, 'ipv4')
for (const [network, prefix] of [
  // Protocol assignments: Teredo, benchmarks, ORCHID.
  ['2001::', 23],
  ['2001:db8::', 32],
  // 6to4, which has an IPv4 address in it.
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  notPublic.addSubnet(network, prefix, 'ipv6')
