import { z } from 'zod';
import { id, moment } from '../../_http/fields';

const states = z.enum(['active', 'excluded', 'broken']);
/** A link that needs no key and stops working within two hours. */
export const File = z.object({ url: z.string(), width: z.number().int(), height: z.number().int() });

export const ListedImage = z.object({
  id,
  name: z.string(),
  className: z.string().nullable(),
  groupKey: z.string().nullable(),
  width: z.number().int(),
  height: z.number().int(),
  state: states,
  notes: z.array(z.string()),
  createdAt: moment,
  /** The first image of those that look alike, itself included; null when none does or nobody compared them. */
  lookalikeOf: id.nullable(),
  /** How many of its questions have a label. */
  labels: z.number().int(),
  /** Null until it is made. */
  thumbnail: File.nullable(),
});
