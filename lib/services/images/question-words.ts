import { targetWords } from '@/lib/core/schema';

/** What is asked, for a line of text: "Object masks", "Part masks, head of object 2 (dog)". */
export const questionWords = (stage: string, target: string): string =>
  target ? `${stage}, ${targetWords(target, (id) => id, '')}` : stage;
