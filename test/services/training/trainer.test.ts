import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { runPython, trainerFolder } from './python';

const modules = readdirSync(path.join(trainerFolder, 'tests'))
  .filter((name) => name.startsWith('test_'))
  .map((name) => name.replace('.py', ''));

describe('the trainer', () => {
  it('has a Python with torch and numpy (if not: npx tessera trainer install)', async () => {
    const { out } = await runPython(['-m', 'tessera_trainer.capabilities']);
    expect(JSON.parse(out)).toMatchObject({
      torch: expect.any(String),
      numpy: expect.any(String),
      exports: true,
    });
  });

  it.each(modules)('passes %s', { timeout: 900_000 }, async (module) => {
    const { code, err } = await runPython(['-m', 'unittest', `tests.${module}`]);
    expect(code, err).toBe(0);
  });
});
