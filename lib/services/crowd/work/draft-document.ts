import { z } from 'zod';

/** Bytes of JSON of one draft. */
export const DRAFT_BYTES = 4_000_000;

/** A drawing is five levels deep; what is much deeper is no draft, and no parser should have to follow it. */
const MAX_DEPTH = 32;

/** The client's own document, kept as it is. Only what a database cannot keep is refused. */
export const DraftDocument = z.record(z.string(), z.unknown()).superRefine((document, context) => {
  const problem = problemOf(document);
  if (problem) context.addIssue({ code: 'custom', message: problem });
});

/** Walks without recursion, because the document may be made to be deep. */
function problemOf(document: unknown): string | null {
  let level: unknown[] = [document];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return `the document is nested more than ${MAX_DEPTH} levels deep`;
    if (level.some((value) => typeof value === 'string' && hasLoneSurrogate.test(value)))
      return 'the document holds a text that is not valid Unicode';
    level = level.flatMap(childrenOf);
  }
  return null;
}

const hasLoneSurrogate = /\p{Surrogate}/u;

function childrenOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  if (typeof value === 'object' && value !== null) return [...Object.keys(value), ...Object.values(value)];
  return [];
}
