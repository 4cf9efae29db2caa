/** Where to go afterwards, as an address on this site; anything else leads home. */
export function localPath(given: unknown): string {
  if (typeof given !== 'string' || given.length > 2000 || !/^\/(?![/\\])/.test(given)) return '/';
  const url = new URL(given, 'http://here.invalid');
  return url.host === 'here.invalid' ? url.pathname + url.search : '/';
}
