import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { kernel } from '@/lib/core/mask/kernel';
import { MODULE_BASE64, SOURCE_SHA256 } from '@/lib/core/mask/wasm/module';
import { digest } from './browser-entry';

/** Debian's Chromium where there is one; else the one Playwright has installed. */
const SYSTEM_CHROMIUM = '/usr/bin/chromium';

async function bundled(): Promise<string> {
  const result = await build({
    entryPoints: [fileURLToPath(new URL('./browser-entry.ts', import.meta.url))],
    alias: { '@': fileURLToPath(new URL('../../..', import.meta.url)) },
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'masks',
  });
  return result.outputFiles[0]?.text ?? '';
}

async function launch(): Promise<Browser> {
  const args = ['--no-sandbox'];
  return chromium.launch({ args }).catch(() => chromium.launch({ args, executablePath: SYSTEM_CHROMIUM }));
}

describe('the mask code in a browser', () => {
  let browser: Browser;
  let code: string;

  beforeAll(async () => {
    [browser, code] = await Promise.all([launch(), bundled()]);
  });
  afterAll(() => browser?.close());

  it('runs the WebAssembly path and gives the results that Node gives, in a page', async () => {
    const page = await browser.newPage();
    await page.addScriptTag({ content: code });
    const result = await page.evaluate('masks.digest()');
    expect(result).toEqual({ ...digest(), path: 'wasm' });
  });

  it('gives the same results in a worker', async () => {
    const page = await browser.newPage();
    const result = await page.evaluate(
      (source) =>
        new Promise((resolve) => {
          const text = `${source}; postMessage(masks.digest());`;
          const worker = new Worker(URL.createObjectURL(new Blob([text], { type: 'text/javascript' })));
          worker.onmessage = ({ data }) => resolve(data);
        }),
      code,
    );
    expect(result).toEqual({ ...digest(), path: 'wasm' });
  });

  it('falls back to TypeScript, with the same results, where a page forbids WebAssembly', async () => {
    const page = await browser.newPage();
    await page.addScriptTag({ content: `delete globalThis.WebAssembly; ${code}` });
    const result = await page.evaluate('masks.digest()');
    expect(result).toEqual({ ...digest(), path: 'plain' });
  });
});

const folder = new URL('../../../lib/core/mask/wasm/', import.meta.url);

describe('the WebAssembly module', () => {
  it('is built from the sources beside it (else run bench/mask/build-wasm.mjs)', () => {
    const hash = createHash('sha256');
    const names = readdirSync(folder).filter((name) => name.endsWith('.as'));
    for (const name of names.sort()) hash.update(readFileSync(new URL(name, folder)));
    expect(SOURCE_SHA256).toBe(hash.digest('hex'));
  });

  it('is small, and is what runs in Node', () => {
    expect(Buffer.from(MODULE_BASE64, 'base64').length).toBeLessThan(16_384);
    expect(kernel().name).toBe('wasm');
  });
});
