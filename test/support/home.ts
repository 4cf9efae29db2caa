import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll } from 'vitest';

/** A temporary TESSERA_HOME for the tests of one file. */
export function useHome(): () => string {
  let home = '';
  beforeAll(() => {
    home = mkdtempSync(path.join(os.tmpdir(), 'tessera-home-'));
    process.env.TESSERA_HOME = home;
  });
  afterAll(() => {
    rmSync(home, { recursive: true, force: true });
    delete process.env.TESSERA_HOME;
  });
  return () => home;
}
