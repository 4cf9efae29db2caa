import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { projectFolder } from '@/lib/config';

interface Locked {
  engines?: { node?: string };
  hasInstallScript?: boolean;
}

const read = (name: string) => JSON.parse(readFileSync(path.join(projectFolder, name), 'utf8'));
const { packages }: { packages: Record<string, Locked> } = read('package-lock.json');
const { allowScripts }: { allowScripts: Record<string, boolean> } = read('package.json');
const nameOf = (place: string) => place.replace(/^.*node_modules\//, '');

/** Whether one alternative of a range, such as `^20.19.0` or `>= 18`, includes Node.js 20.19. */
function includesOldest(range: string): boolean {
  const [, sign = '', major = '0', minor = '0'] = /([<>=^~]*) *v?(\d+|\*)(?:\.(\d+))?/.exec(range) ?? [];
  const [wanted, least] = [Number(major), Number(minor)];
  if (Number.isNaN(wanted)) return true;
  return sign.startsWith('>') ? wanted < 20 || (wanted === 20 && least <= 19) : wanted === 20 && least <= 19;
}

it('npm ci warns about no package on Node.js 20.19 (else run `npm run lock`)', () => {
  expect(includesOldest('>=22.12.0')).toBe(false);
  const newer = Object.entries(packages)
    .filter(([, { engines }]) => !(engines?.node ?? '*').split('||').some(includesOldest))
    .map(([place, { engines }]) => `${nameOf(place)} ${engines?.node}`);
  expect(newer).toEqual([]);
});

it('npm ci runs no install script that package.json forbids, also on npm 10 (else run `npm run lock`)', () => {
  const running = Object.entries(packages)
    .filter(([place, { hasInstallScript }]) => hasInstallScript && allowScripts[nameOf(place)] === false)
    .map(([place]) => nameOf(place));
  expect(running).toEqual([]);
});

it('there is no .npmrc, whose settings npm 11 would not know', () => {
  expect(existsSync(path.join(projectFolder, '.npmrc'))).toBe(false);
});
