import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { kernel } from '@/lib/core/mask/kernel';
import { MODULE_BASE64, SOURCE_SHA256 } from '@/lib/core/mask/wasm/module';

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
