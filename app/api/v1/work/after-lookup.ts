import { z } from 'zod';
import { parseOrRefuse } from '../../_http/input';

/**
 * A body that is checked only once the thing it is for was found. If it were checked before, an invalid body
 * would be refused with 400 for the lease of another and with 404 for one that does not exist, or the other
 * way round; so both are 404 whatever is sent. The documentation shows the schema as for any other body.
 */
export function afterLookup<S extends z.ZodType>(schema: S) {
  const { $schema, ...described } = z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' });
  return {
    body: z.unknown().meta(described),
    parse: (body: unknown): z.output<S> => parseOrRefuse(schema, body),
  };
}
