import { BlockList, isIP } from 'node:net';

/** Networks that a setting can name by a word. */
const networks: Record<string, readonly string[]> = {
  none: [],
  loopback: ['127.0.0.0/8', '::1/128'],
  private: ['127.0.0.0/8', '::1/128', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
};

/** Reads `TESSERA_TRUSTED_PROXIES`: words, addresses and networks, separated by commas; null if one is none of these. */
export function readProxies(setting: string): BlockList | null {
  const list = new BlockList();
  const entries = setting.split(',').map((entry) => entry.trim());
  for (const entry of entries.flatMap((each) => networks[each] ?? each)) {
    const [address = '', bits, ...rest] = entry.split('/');
    const version = isIP(address);
    const prefix = bits === undefined ? (version === 6 ? 128 : 32) : Number(bits);
    const isGood = version !== 0 && rest.length === 0 && /^\d*$/.test(bits ?? '') && bits !== '';
    if (!isGood || prefix > (version === 6 ? 128 : 32)) return null;
    list.addSubnet(address, prefix, version === 6 ? 'ipv6' : 'ipv4');
  }
  return list;
}
