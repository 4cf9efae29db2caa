import { z } from 'zod';

const NO_CLASS = '-';

const Filter = z.object({
  class: z.string().max(80).optional().catch(undefined),
  state: z.enum(['active', 'excluded', 'broken']).optional().catch(undefined),
  text: z.string().trim().min(1).max(120).optional().catch(undefined),
});

export type ImageFilter = {
  className?: string | null;
  state?: 'active' | 'excluded' | 'broken';
  text?: string;
};

/** What an address asks for; what it asks for in vain is left out. */
export function readImageFilter(query: Record<string, string | string[] | undefined>): ImageFilter {
  const parsed = Filter.parse(query);
  return {
    className: parsed.class === NO_CLASS ? null : parsed.class || undefined,
    state: parsed.state,
    text: parsed.text,
  };
}

/** The same filter as an address. */
export function imageQuery({ className, state, text }: ImageFilter): URLSearchParams {
  const query = new URLSearchParams();
  if (className !== undefined) query.set('class', className ?? NO_CLASS);
  if (state) query.set('state', state);
  if (text) query.set('text', text);
  return query;
}
