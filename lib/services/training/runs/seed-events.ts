import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { RunEvent } from './follow-events';

/**
 * On a machine that has not seen the run before, the trainer must not count its events from 1 again: it is given what it
 * reads of those before, the artefacts and the last number.
 */
export async function seedEvents(folder: string, told: readonly RunEvent[]): Promise<void> {
  const file = path.join(folder, 'events.jsonl');
  if (told.length === 0 || existsSync(file)) return;
  await writeFile(file, told.map((event) => `${JSON.stringify(event)}\n`).join(''));
}
