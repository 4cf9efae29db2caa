import { z } from 'zod';
import { jobShape } from './job-spec';
import { rules } from './rules';

/** Where the trainer finds it, from the folder of the checkout. */
export const schemaFile = 'workers/trainer/tessera_trainer/job.schema.json';

/** The text of the JSON Schema the Python trainer checks `job.json` by; `x-rules` is the list of `rules.ts`. */
export function schemaFileText(): string {
  return `${JSON.stringify({ ...z.toJSONSchema(jobShape), 'x-rules': rules }, null, 1)}\n`;
}
