import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { createRequire } from 'node:module';
import { NextRequest } from 'next/server';
import { describe, expect, it } from 'vitest';
import { readProxies, trustedOrigins } from '@/lib/config/network';
import { addressGroup, clientAddress, stampAddress } from '@/lib/services/access/request-headers';
import { contentSecurityPolicy, sonnerSheet } from '@/lib/services/access/security-headers';
import { proxy } from '@/proxy';

const directives = (policy: string) =>
  Object.fromEntries(
    policy.split('; ').map((part) => [part.slice(0, part.indexOf(' ')), part.slice(part.indexOf(' ') + 1)]),
  );

describe('the content security policy', () => {
  it('runs no inline script and no evaluated one, and cannot be framed', () => {
    const rules = directives(contentSecurityPolicy('abc', false));
    expect(rules['script-src']).toBe("'self' 'nonce-abc' 'strict-dynamic' 'wasm-unsafe-eval'");
    expect(rules['script-src-attr']).toBe("'none'");
    expect(rules['frame-ancestors']).toBe("'none'");
    expect(rules['object-src']).toBe("'none'");
    expect(rules['base-uri']).toBe("'none'");
    for (const [name, value] of Object.entries(rules)) {
      if (name === 'style-src-attr') continue;
      expect(value.replace("'wasm-unsafe-eval'", ''), name).not.toContain('unsafe');
    }
  });

  it('knows the style sheet that the toasts bring with them', () => {
    const file = createRequire(import.meta.url)
      .resolve('sonner')
      .replace(/index\.js$/, 'index.mjs');
    const [, sheet] = /__insertCSS\(("(?:[^"\\]|\\.)*")\)/.exec(readFileSync(file, 'utf8')) ?? [];
    const hash = createHash('sha256')
      .update(JSON.parse(sheet as string))
      .digest('base64');
    expect(sonnerSheet).toBe(`sha256-${hash}`);
  });
});

describe('a page', () => {
  const answer = (headers: Record<string, string> = {}) =>
    proxy(new NextRequest('http://localhost:3000/projects?state=draft', { headers }));

  it('gets a fresh nonce each time, the same in the answer and for the renderer', () => {
    const [one, two] = [answer(), answer()];
    const policy = one.headers.get('content-security-policy');
    expect(policy).not.toBe(two.headers.get('content-security-policy'));
    expect(one.headers.get('x-middleware-request-content-security-policy')).toBe(policy);
    expect(policy).toContain(one.headers.get('x-middleware-request-x-nonce'));
  });

  it('is not there for an address with a character that no name can have', () => {
    for (const address of ['/projects/a%00b', '/projects?q=%00'])
      expect(proxy(new NextRequest(`http://localhost:3000${address}`)).status).toBe(400);
  });

  it('learns its own path, whatever the client says', () => {
    const reply = answer({ 'x-tessera-path': '//evil.example' });
    expect(reply.headers.get('x-middleware-request-x-tessera-path')).toBe('/projects?state=draft');
  });

  it('keeps others from sniffing, framing and following', () => {
    const { headers } = answer();
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('referrer-policy')).toBe('same-origin');
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
    expect(headers.get('permissions-policy')).toContain('camera=()');
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe('framing', () => {
  const market = 'https://market.example';
  const answered = (path: string, origin?: string) => {
    if (origin) process.env.TESSERA_PROLIFIC_FRAME_ORIGIN = origin;
    try {
      const { headers } = proxy(new NextRequest(`http://localhost:3000${path}`));
      const policy = headers.get('content-security-policy') as string;
      return [directives(policy)['frame-ancestors'], headers.get('x-frame-options')];
    } finally {
      delete process.env.TESSERA_PROLIFIC_FRAME_ORIGIN;
    }
  };
  const nobody = ["'none'", 'DENY'];

  it('is for the origin of the marketplace, on the page where its people arrive', () => {
    expect(answered('/join/prolific?STUDY_ID=1', market)).toEqual([market, null]);
  });

  it.each([
    '/',
    '/sign-in',
    '/join',
    '/join/a-token',
    '/join/prolific/more',
    '/join/Prolific',
    '/join/prolific%2f..',
    '/x/join/prolific',
    '/annotate',
    '/annotate/birds/consent',
    '/projects',
    '/constructor',
  ])('is for nobody elsewhere: %s', (path) => {
    expect(answered(path, market)).toEqual(nobody);
  });

  it('is for nobody where no origin is set', () => {
    expect(answered('/join/prolific')).toEqual(nobody);
  });

  it.each([
    '*',
    'https:',
    'https://*.example',
    'https://a.example/path',
    'https://a.example https://b.example',
    "https://a.example; script-src 'unsafe-inline'",
    'https://a.example\n',
    'javascript:x',
    "'self'",
  ])('is for nobody when what is set is no origin: %s', (origin) => {
    expect(answered('/join/prolific', origin)).toEqual(nobody);
  });
});

describe('trusted origins', () => {
  it('are the address people type; the names of this machine stand for each other', () => {
    expect(trustedOrigins({ url: 'https://tessera.example.org' })).toEqual(['https://tessera.example.org']);
    expect(trustedOrigins({ url: 'http://localhost:3000' })).toContain('http://127.0.0.1:3000');
    expect(trustedOrigins({ url: 'https://localhost.example.org' })).toHaveLength(1);
  });
});

describe('the address of a client', () => {
  const stamped = (peer: string, said?: string) => {
    const request = { socket: { remoteAddress: peer }, headers: { 'x-forwarded-for': said } };
    stampAddress(request as unknown as IncomingMessage);
    return clientAddress(new Headers({ 'x-forwarded-for': request.headers['x-forwarded-for'] as string }));
  };

  it('is the one it has, not the one it claims', () => {
    expect(stamped('203.0.113.9', '127.0.0.1')).toBe('203.0.113.9');
    expect(stamped('::ffff:203.0.113.9')).toBe('203.0.113.9');
  });

  it('is what a proxy of ours saw, not what the client told the proxy', () => {
    expect(stamped('127.0.0.1', '1.1.1.1, 203.0.113.9')).toBe('203.0.113.9');
    expect(stamped('10.0.0.2', '203.0.113.9')).toBe('203.0.113.9');
    expect(stamped('127.0.0.1')).toBe('127.0.0.1');
  });

  it('is believed to the proxies that were named, and to nobody else on the private network', () => {
    process.env.TESSERA_TRUSTED_PROXIES = '10.0.0.5, fd00::/8';
    try {
      expect(stamped('10.0.0.5', '203.0.113.9')).toBe('203.0.113.9');
      expect(stamped('fd00::7', '203.0.113.9')).toBe('203.0.113.9');
      expect(stamped('10.0.0.2', '203.0.113.9')).toBe('10.0.0.2');
      expect(stamped('127.0.0.1', '203.0.113.9')).toBe('127.0.0.1');
    } finally {
      delete process.env.TESSERA_TRUSTED_PROXIES;
    }
  });

  it.each(['10.0.0.0/33', 'example.org', '10.0.0.0/', '10.0.0.0/8/8', 'private, x', '10.0.0.0/-1'])(
    'needs proxies that are addresses: %s',
    (setting) => {
      expect(readProxies(setting)).toBeNull();
    },
  );

  it('is one of a whole subscriber in IPv6', () => {
    expect(addressGroup('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2::/64');
    expect(addressGroup('2001:0DB8:1:2::9')).toBe('2001:db8:1:2::/64');
    expect(addressGroup('2001:db8::1')).toBe('2001:db8:0:0::/64');
    expect(addressGroup('::1')).toBe('0:0:0:0::/64');
    expect(addressGroup('203.0.113.9')).toBe('203.0.113.9');
  });
});
