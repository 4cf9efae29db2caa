import type { Rng } from '@/lib/core/robustness/random';

export const pick = <T>(list: readonly T[], chance: Rng): T => list[chance.below(list.length)] as T;

/** Texts that have broken somebody's server, database, file system, log or page. */
export const hostileTexts: readonly string[] = [
  '',
  ' ',
  '\u00a0',
  '\0',
  'a\0b',
  '\ud800',
  'a\udfff',
  '\ufeff',
  '\u202egnp.exe',
  '\u200b',
  '\uffff',
  '\u{10ffff}',
  'é'.normalize('NFD'),
  '𝕿𝖊𝖘𝖘𝖊𝖗𝖆',
  'ﷺ'.repeat(50),
  `Z${'\u0301'.repeat(300)}`,
  'İ',
  'ß',
  'x'.repeat(10_000),
  'x'.repeat(300_000),
  '../../../../etc/passwd',
  '..\\..\\windows\\win.ini',
  '/etc/passwd',
  'C:\\boot.ini',
  'file:///etc/passwd',
  'http://169.254.169.254/latest/meta-data',
  'CON',
  '.',
  '..',
  '%2e%2e%2f',
  '%00',
  "' or 1=1 --",
  "'; drop table users; --",
  '\\',
  '$1',
  '{{7*7}}',
  `\${7*7}`,
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  'javascript:alert(1)',
  '=cmd|calc!A1',
  '@SUM(1)',
  '\r\nset-cookie: a=b',
  '\n\n\n',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'null',
  'undefined',
  'NaN',
  'true',
  '-1',
  '0',
  '1e309',
  '0x10',
  '99999999999999999999',
  '2026-02-30T25:61:61Z',
  '0000-00-00',
  '+275760-09-13T00:00:00.000Z',
  '294277-01-01T00:00:00Z',
  '1970-01-01T00:00:00Z',
  '(a+)+$',
  'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!',
  '%',
  '_%_',
  '*',
  '[',
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
];

export const hostileNumbers: readonly number[] = [
  0,
  -0,
  -1,
  0.1,
  1e-320,
  127,
  32_768,
  65_536,
  2 ** 31 - 1,
  2 ** 31,
  -(2 ** 31) - 1,
  2 ** 32,
  2 ** 53 - 1,
  2 ** 53,
  2 ** 63,
  -(2 ** 63),
  1e20,
  1e100,
  1e308,
  -1e308,
  3.5,
  Number.NaN,
  Number.POSITIVE_INFINITY,
];

const nested = (depth: number): unknown => {
  let value: unknown = 1;
  for (let n = 0; n < depth; n++) value = n % 2 === 0 ? [value] : { a: value };
  return value;
};

/** Any value that no schema hoped for. */
export function hostileValue(chance: Rng, id: string): unknown {
  switch (chance.below(9)) {
    case 0:
      return pick(hostileNumbers, chance);
    case 1:
      return pick([null, true, false, [], {}, [[]], [null], { length: 1e9 }], chance);
    case 2:
      return nested(5 + chance.below(200));
    case 3:
      return Array.from({ length: chance.below(3000) }, () => pick(hostileNumbers, chance));
    case 4:
      return JSON.parse('{"__proto__": {"isAdmin": true}, "constructor": {"prototype": {}}}');
    case 5:
      return pick([id, id.toUpperCase(), `${id} `, `{${id}}`, id.replaceAll('-', '')], chance);
    default:
      return pick(hostileTexts, chance);
  }
}

const deep = (open: string, close: string, depth: number) => open.repeat(depth) + close.repeat(depth);

/** Bodies that are no value at all, or only just one. */
export const hostileBodies: readonly (string | Buffer)[] = [
  '',
  '{',
  '{"a":',
  'nul',
  'NaN',
  '{"a":NaN}',
  '{"a":1e999}',
  '{"a":-1e999}',
  `{"a":${'9'.repeat(5000)}}`,
  '{"a":1,"a":2}',
  '{"__proto__":{"a":1}}',
  '{"constructor":{"prototype":{"a":1}}}',
  '\ufeff{}',
  '[]',
  '"text"',
  '1',
  'null',
  deep('[', ']', 5_000),
  deep('[', ']', 200_000),
  deep('{"a":', '}', 50_000).replace('}', '1}'),
  `{"name":"${'\\ud800'.repeat(10)}"}`,
  `{"name":"\\u0000"}`,
  `{"name":"${'x'.repeat(900_000)}"}`,
  `{"name":"${'x'.repeat(1_100_000)}"}`,
  `[${'{},'.repeat(100_000)}{}]`,
  Buffer.from([0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]),
  Buffer.from([0x7b, 0x22, 0xc3, 0x28, 0x22, 0x3a, 0x31, 0x7d]),
  Buffer.from([0x1f, 0x8b, 0x08, 0, 0, 0, 0, 0]),
  'a=1&b=2',
  '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>',
];

/** Headers by which a request lies about itself. */
export const hostileHeaders: readonly Record<string, string>[] = [
  { 'content-type': 'text/plain' },
  { 'content-type': 'application/json; charset=utf-7' },
  { 'content-type': 'multipart/form-data' },
  { 'content-type': 'application/x-www-form-urlencoded' },
  { 'content-type': 'x'.repeat(4000) },
  { 'content-encoding': 'gzip' },
  { 'x-request-id': 'x'.repeat(5000) },
  { 'x-request-id': '"><script>' },
  { 'x-forwarded-for': '127.0.0.1, ::1, '.repeat(200) },
  { 'x-forwarded-host': 'evil.example' },
  { 'x-forwarded-proto': 'javascript' },
  { 'x-middleware-subrequest': 'proxy:proxy:proxy:proxy:proxy' },
  { 'x-middleware-request-x-tessera-path': '//evil.example' },
  { 'x-tessera-path': '//evil.example' },
  { 'x-http-method-override': 'DELETE' },
  { 'next-action': 'x'.repeat(40) },
  { rsc: '1', 'next-router-state-tree': '%5B%22' },
  { range: 'bytes=0-' },
  { range: 'bytes=-1' },
  { range: 'bytes=9999999999999-1' },
  { range: `bytes=${'0-1,'.repeat(500)}0-1` },
  { 'if-none-match': 'x'.repeat(5000) },
  { 'if-modified-since': 'not a date' },
  { 'accept-language': `${'a'.repeat(2000)};q=nan` },
  { accept: '*/*;q=9'.repeat(200) },
  { cookie: `tessera.session_token=${'x'.repeat(4000)}` },
  { cookie: 'tessera.session_token=%00%ff; a; =; ;;' },
  { cookie: 'a=b; '.repeat(1500) },
  { authorization: 'Bearer' },
  { authorization: `Bearer ${'x'.repeat(6000)}` },
  { authorization: 'Basic YWRtaW46YWRtaW4=' },
  { authorization: 'Bearer tess_\u00ff' },
  { 'x-api-key': '' },
  { origin: 'null' },
  { origin: 'https://evil.example' },
  { 'sec-fetch-site': 'cross-site' },
  { expect: '100-continue' },
  { te: 'trailers' },
  { 'x-large': 'x'.repeat(15_000) },
];
