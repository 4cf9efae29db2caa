import { describe, expect, it } from 'vitest';
import { describeAgent } from '@/app/_account/describe-agent';
import { describeRoles, invitationState } from '@/app/(console)/admin/labels';
import { localPath } from '@/app/(public)/local-path';

describe('after signing in', () => {
  it('a person goes on to the page they wanted', () => {
    expect(localPath('/projects/birds/images?class=bird')).toBe('/projects/birds/images?class=bird');
  });

  it.each([
    '//evil.example',
    '/\\evil.example',
    'https://evil.example',
    'javascript:alert(1)',
    '/\t/evil.example',
    'projects',
    '',
    undefined,
    ['/a', '/b'],
    `/${'a'.repeat(3000)}`,
  ])('%j leads home and never to another site', (given) => {
    expect(localPath(given)).toBe('/');
  });
});

describe('a list of sessions', () => {
  it.each([
    ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox', 'Linux'],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0',
      'Edge',
      'Windows',
    ],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.0 Safari/605.1.15',
      'Safari',
      'macOS',
    ],
    ['curl/8.5', undefined, undefined],
    [null, undefined, undefined],
  ])('%s is %s on %s', (agent, browser, system) => {
    expect(describeAgent(agent)).toEqual({ browser, system });
  });
});

it('roles are told project by project', () => {
  const held = [
    { project: 'birds', role: 'curator' },
    { project: 'birds', role: 'worker' },
    { project: 'cars', role: 'researcher' },
  ];
  expect(describeRoles(held)).toBe('birds: curator, worker; cars: researcher');
});

it('an invitation is open until it is withdrawn, used up or expired', () => {
  const now = new Date('2026-11-16T12:00:00Z');
  const open = { revokedAt: null, expiresAt: new Date('2026-11-17T12:00:00Z'), used: 0, seats: 1 };
  expect(invitationState(open, now)).toBe('open');
  expect(invitationState({ ...open, used: 1 }, now)).toBe('used up');
  expect(invitationState({ ...open, expiresAt: now }, now)).toBe('expired');
  expect(invitationState({ ...open, revokedAt: now }, now)).toBe('revoked');
});
