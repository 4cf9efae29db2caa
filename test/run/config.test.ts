import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectFolder, readConfig } from '@/lib/config';
import { variables } from '@/lib/config/variables';

describe('the environment', () => {
  it('may be empty', () => {
    expect(readConfig({})).toMatchObject({
      PORT: 3000,
      HOST: '127.0.0.1',
      home: path.join(projectFolder, '.tessera'),
      url: 'http://localhost:3000',
      TESSERA_DEMO: 'on',
    });
  });

  it('counts an empty variable as absent', () => {
    const config = readConfig({ PORT: '', DATABASE_URL: '' });
    expect(config.PORT).toBe(3000);
    expect(config.DATABASE_URL).toBeUndefined();
  });

  it('gives the address without a slash at its end', () => {
    expect(readConfig({ TESSERA_URL: 'https://tessera.example.org/' }).url).toBe(
      'https://tessera.example.org',
    );
    expect(readConfig({ PORT: '8080' }).url).toBe('http://localhost:8080');
  });

  it.each([
    ['PORT', '70000'],
    ['PORT', '3.5'],
    ['TESSERA_URL', 'localhost:3000'],
    ['DATABASE_URL', 'mysql://host/database'],
    ['TESSERA_DEMO', 'no'],
    ['TESSERA_LOG_LEVEL', 'loud'],
    ['TESSERA_UPLOAD_GB', '-1'],
    ['TESSERA_SECRET', 'short'],
    ['TESSERA_SECRET', 'better-auth-secret-12345678901234567890'],
    ['TESSERA_SECRET', 'please-change-me-please-change-me-please'],
    ['TESSERA_SECRET', 'a'.repeat(40)],
    ['TESSERA_SECRET', 'abcd'.repeat(10)],
  ])('refuses %s=%s and says what it must be', (name, value) => {
    const { must } = variables[name as keyof typeof variables];
    expect(() => readConfig({ [name]: value })).toThrow(`${name} must ${must}`);
  });

  it('is described in full: no part of the product reads a variable that the list does not know', () => {
    const known = new Set([...Object.keys(variables), 'NODE_ENV', 'PATH', 'NO_COLOR', 'HOME']);
    // npm, vitest and Playwright tell their own children who they are.
    const ofOthers = /^(npm_|TESSERA_E2E_|PLAYWRIGHT_|NEXT_)/;
    const read = ['app', 'lib', 'db', 'workers', 'bin'].flatMap((folder) =>
      readdirSync(path.join(projectFolder, folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && /\.(ts|tsx|mjs)$/.test(entry.name))
        .map((entry) => readFileSync(path.join(entry.parentPath, entry.name), 'utf8'))
        .flatMap((source) =>
          [...source.matchAll(/process\.env\.([A-Za-z_]+)/g)].map((match) => match[1] ?? ''),
        ),
    );
    expect(read.filter((name) => !known.has(name) && !ofOthers.test(name))).toEqual([]);
  });
});
