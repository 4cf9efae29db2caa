/** In order: browsers that pretend to be another come before the one they pretend to be. */
const browsers: [RegExp, string][] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\b(OPR|Opera)\//, 'Opera'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/(Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];

const systems: [RegExp, string][] = [
  [/\b(iPhone|iPad)\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

const first = (table: [RegExp, string][], agent: string) => table.find(([form]) => form.test(agent))?.[1];

/** "Firefox on Linux": enough to know one's own machines by. */
export function describeAgent(agent: string | null): string {
  if (!agent) return 'Unknown browser';
  const browser = first(browsers, agent) ?? 'Unknown browser';
  const system = first(systems, agent);
  return system ? `${browser} on ${system}` : browser;
}
