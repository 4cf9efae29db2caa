import { z } from 'zod';

const text = z.string().catch('');
const numbers = z.array(z.number()).catch([]);

/** What pages show of a contract. Uploaded and older models may lack anything of it. */
const Contract = z.object({
  classes: z.array(z.string()).catch([]),
  parts: z.array(z.object({ name: z.string(), class: z.number().int() })).catch([]),
  maskValues: z.array(z.string()).catch([]),
  input: z
    .object({
      name: text,
      layout: text,
      type: text,
      channels: text,
      range: numbers,
      height: z.number().catch(0),
      width: z.number().catch(0),
      mean: numbers,
      std: numbers,
      view: text,
    })
    .nullable()
    .catch(null),
  outputs: z.record(z.string(), z.string()).catch({}),
  outputKind: text,
  file: z
    .object({ opset: z.number().nullable().catch(null), bytes: z.number().nullable().catch(null) })
    .nullable()
    .catch(null),
  gradient: z.object({ name: text, says: text }).nullable().catch(null),
  parameters: z.number().nullable().catch(null),
  init: z
    .union([z.string(), z.object({ path: z.string(), sha256: z.string() })])
    .nullable()
    .catch(null),
  snapshot: text,
  torch: text,
  lineage: z
    .object({ version: text, number: z.number().nullable().catch(null) })
    .nullable()
    .catch(null),
  metrics: z.unknown().optional(),
  /** Greatest difference from PyTorch by output, in units of the greatest value. */
  check: z.record(z.string(), z.unknown()).nullable().catch(null),
});

export type Contract = z.output<typeof Contract>;

export const readContract = (contract: Record<string, unknown>): Contract => Contract.parse(contract);
