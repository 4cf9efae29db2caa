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

/** The browser and the system that a user agent names. */
export const describeAgent = (agent: string | null): { browser?: string; system?: string } => ({
  browser: agent ? first(browsers, agent) : undefined,
  system: agent ? first(systems, agent) : undefined,
});
